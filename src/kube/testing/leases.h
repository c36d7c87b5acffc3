// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: one Lease as an API server stores it, and connections that fail on request.

#include "base/clock.h"
#include "json/value.h"
#include "net/async/loop.h"
#include "net/http_wire/http.h"

#include <fmt/format.h>

#include <deque>
#include <string>
#include <vector>

namespace kube::testing {

// Answers GET, POST, PUT and merge patches as the API server does: versions, 404, 409 by version
// and uid, 403 if the verb is not granted, 405 for anything else.
class LeaseServer {
 public:
  net::http::Response answer(const net::http::Request& request) {
    calls.push_back(request.method);
    if (request.method == "GET") return exists ? shown(200) : status(404, "not found");
    auto body = json::parse(request.body);
    if (!body.ok()) return status(400, "no JSON");
    if (request.method == "POST") return created(*body);
    if (request.method == "PATCH" &&
        request.header("Content-Type") == "application/merge-patch+json") {
      return may_patch ? changed(*body, Change::merge) : status(403, "patch is forbidden");
    }
    if (request.method == "PUT")
      return may_put ? changed(*body, Change::replace) : status(403, "update is forbidden");
    return status(405, "not allowed");
  }

  std::string field(std::string_view name) const {
    const json::Value* value = spec.find(name);
    if (value == nullptr) return "";
    return value->as_string() != nullptr ? *value->as_string() : value->dump();
  }
  std::string holder() const { return field("holderIdentity"); }

  // A write by another client.
  void set(json::Object fields) {
    exists = true;
    merge(fields);
  }
  void touch() { ++version; }
  void remove() {
    exists = false;
    spec = {};
  }

  bool exists = false;
  bool may_patch = true;
  bool may_put = true;
  json::Object spec;
  json::Object labels;
  int version = 0;
  int generation = 0;  // part of the uid
  std::vector<std::string> calls;
  std::vector<std::string> holders;  // each holder that a write set, in order, without repeats

 private:
  static net::http::Response status(int code, std::string_view message) {
    return {code, {}, fmt::format(R"({{"kind":"Status","message":"{}"}})", message)};
  }
  net::http::Response shown(int code) const {
    json::Object object{{"metadata",
                         json::Object{{"name", "l"},
                                      {"namespace", "n"},
                                      {"uid", fmt::format("uid-{}", generation)},
                                      {"resourceVersion", std::to_string(version)},
                                      {"labels", labels}}},
                        {"spec", spec}};
    return {code, {}, json::Value(std::move(object)).dump()};
  }
  net::http::Response created(const json::Value& body) {
    if (exists) return status(409, "already exists");
    ++generation;
    spec = {};
    exists = true;
    merge(*body.find("spec")->as_object());
    return shown(201);
  }
  enum class Change { merge, replace };
  net::http::Response changed(const json::Value& body, Change change) {
    if (!exists) return status(404, "not found");
    const json::Value* metadata = body.find("metadata");
    if (*metadata->find("resourceVersion")->as_string() != std::to_string(version) ||
        *metadata->find("uid")->as_string() != fmt::format("uid-{}", generation)) {
      return status(409, "the object has been modified");
    }
    if (change == Change::replace) {
      spec = {};
      labels = metadata->find("labels") ? *metadata->find("labels")->as_object() : json::Object();
    }
    merge(*body.find("spec")->as_object());
    return shown(200);
  }
  void merge(const json::Object& fields) {
    ++version;
    for (const json::Member& member : fields) spec.set(member.key, member.value);
    if (holders.empty() || holders.back() != holder()) holders.push_back(holder());
  }
};

// What happens to one request in transit.
enum class Fate { arrives, answer_lost, request_lost, refused, http_500, http_403, too_many };

// The connection of one client to the server.
class LeaseLink final : public net::http::Transport {
 public:
  LeaseLink(net::Loop& loop, LeaseServer& server) : loop_(loop), server_(server) {}

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override {
    using base::Error;
    using base::Kind;
    Fate fate = Fate::arrives;
    if (!fates.empty()) {
      fate = fates.front();
      fates.pop_front();
    }
    auto transit = co_await loop_.sleep_for(latency);
    if (!transit.ok()) co_return std::move(transit).error();
    if (down || fate == Fate::refused) co_return Error(Kind::unreachable, "refused");
    if (fate == Fate::http_500) co_return net::http::Response(500, {}, "internal error");
    if (fate == Fate::http_403) co_return net::http::Response(403, {}, "forbidden");
    if (fate == Fate::too_many)
      co_return net::http::Response(429, {{"Retry-After", "7"}}, "slow down");
    if (fate == Fate::request_lost || silent) {
      auto waited = co_await loop_.sleep_until(deadline);
      if (!waited.ok()) co_return std::move(waited).error();
      co_return Error(Kind::lost, "no answer");
    }
    net::http::Response response = server_.answer(request);
    auto back = co_await loop_.sleep_for(latency);
    if (!back.ok()) co_return std::move(back).error();
    if (fate == Fate::answer_lost) co_return Error(Kind::lost, "the connection broke");
    co_return response;
  }

  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request,
                                                             base::Instant) override {
    co_return base::Error(base::Kind::internal, "leases are not watched");
  }

  std::deque<Fate> fates;  // of the next requests, one each
  bool down = false;       // nothing connects
  bool silent = false;     // everything hangs until its deadline
  base::Duration latency = std::chrono::milliseconds(1);

 private:
  net::Loop& loop_;
  LeaseServer& server_;
};

}  // namespace kube::testing
