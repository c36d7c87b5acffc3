// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: the admission webhook, with requests as the API server sends them and an API
// server that the webhook reads from.
#include "base/base64.h"
#include "bridge/admission/pod_webhook.h"
#include "json/patch.h"
#include "net/testing/loop.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bridge::testing {

inline const std::string kOurs = "slurm-bridge-scheduler";
inline const std::string kBridgeUser = "system:serviceaccount:slurm:slurm-bridge";

// An API server with namespaces and the webhook's own user name. A watch sends no events.
class NamespaceServer final : public net::http::Transport {
 public:
  explicit NamespaceServer(net::Loop& loop) : loop_(loop) {}

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant) override {
    calls.push_back(request.method + " " + request.target);
    if (away) co_return base::Error(base::Kind::unreachable, "connection refused");
    if (request.method == "POST")
      co_return net::http::Response(
          201, {}, fmt::format(R"({{"status":{{"userInfo":{{"username":"{}"}}}}}})", user));
    if (request.target.contains('?')) co_return list();
    const std::string name = request.target.substr(request.target.rfind('/') + 1);
    if (!namespaces.contains(name))
      co_return net::http::Response(404, {}, R"({"message":"no such namespace","code":404})");
    co_return net::http::Response(200, {}, object(name));
  }

  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request,
                                                             base::Instant) override {
    class Silence final : public net::http::Body {
     public:
      explicit Silence(net::Loop& loop) : loop_(loop) {}
      net::Task<base::Result<std::size_t>> read(std::string&, base::Instant deadline) override {
        CO_TRY_VOID(co_await loop_.sleep_until(deadline));
        co_return base::Error(base::Kind::lost, "nothing came");
      }

     private:
      net::Loop& loop_;
    };
    co_return net::http::StreamingResponse(200, {}, std::make_unique<Silence>(loop_));
  }

  std::map<std::string, std::string> namespaces;  // name -> value of the label "team"
  std::string user = kBridgeUser;
  bool away = false;
  std::vector<std::string> calls;

 private:
  std::string object(const std::string& name) const {
    return fmt::format(
        R"({{"metadata":{{"name":"{}","uid":"u","resourceVersion":"1","labels":{{"team":"{}"}}}}}})",
        name,
        namespaces.at(name));
  }
  net::http::Response list() const {
    std::vector<std::string> items;
    for (const auto& [name, team] : namespaces) items.push_back(object(name));
    return {200,
            {},
            fmt::format(R"({{"metadata":{{"resourceVersion":"1"}},"items":[{}]}})",
                        fmt::join(items, ","))};
  }

  net::Loop& loop_;
};

// A pod as JSON with the given members of metadata and spec.
inline std::string pod_text(const std::string& metadata, const std::string& spec) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p"{}{}}},"spec":{{{}}}}})",
      metadata.empty() ? "" : ",",
      metadata,
      spec);
}

struct Question {
  std::string object;
  std::string old_object{};  // not empty: the operation is UPDATE
  std::string ns = "managed";
  std::string user = "alice";
  std::string subresource{};
};

struct Reply {
  int status = 0;
  std::string uid;
  bool allowed = false;
  int code = 0;
  std::string message;
  std::vector<std::string> warnings;
  json::Value object;  // after the patch
  bool patched = false;
};

inline std::string review_text(const Question& question) {
  const bool update = !question.old_object.empty();
  return fmt::format(
      R"({{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{{"uid":"r-1",)"
      R"("kind":{{"group":"","version":"v1","kind":"Pod"}},)"
      R"("resource":{{"group":"","version":"v1","resource":"pods"}},"subResource":"{}",)"
      R"("namespace":"{}","operation":"{}","userInfo":{{"username":"{}"}},)"
      R"("object":{},"oldObject":{}}}}})",
      question.subresource,
      question.ns,
      update ? "UPDATE" : "CREATE",
      question.user,
      question.object,
      update ? question.old_object : "null");
}

// One webhook server that manages the namespace "managed", on virtual time.
struct TestAdmission {
  explicit TestAdmission(admission::ManagedNamespaces managed = {{"managed"}, std::nullopt})
      : admission(world.loop,
                  kube,
                  base::Log(),
                  {kOurs, std::move(managed), {"system:serviceaccount:slurm:other-role"}},
                  metrics) {}

  ~TestAdmission() {
    running.cancel();
    world.run(running.join());
  }

  // Starts the webhook, which reads its user name and the namespaces.
  void start() {
    running.spawn("admission", admission.run());
    pass(std::chrono::milliseconds(100));
  }
  void pass(base::Duration time) { (void)world.run(world.loop.sleep_for(time)); }

  net::http::Response post(std::string_view path, std::string body) {
    net::http::Request request("POST", fmt::format("{}?timeout=5s", path), std::move(body));
    return world.run(admission.answer(std::move(request))).response;
  }

  Reply ask(std::string_view path, const Question& question) {
    const net::http::Response response = post(path, review_text(question));
    Reply reply;
    reply.status = response.status;
    const auto root = json::parse(response.body);
    const json::Value* answer = root.ok() ? root->find("response") : nullptr;
    if (answer == nullptr) return reply;
    reply.uid = *answer->find("uid")->as_string();
    reply.allowed = *answer->find("allowed")->as_bool();
    if (const json::Value* status = answer->find("status")) {
      reply.code = static_cast<int>(*status->find("code")->as_int());
      reply.message = *status->find("message")->as_string();
    }
    if (const json::Value* warnings = answer->find("warnings"))
      for (const json::Value& one : *warnings->as_array())
        reply.warnings.push_back(*one.as_string());
    reply.object = json::parse(question.object).value();
    if (const json::Value* patch = answer->find("patch")) {
      reply.patched = true;
      const auto operations = json::parse(base::decode_base64(*patch->as_string()).value());
      reply.object = json::json_patched(std::move(reply.object), *operations).value();
    }
    return reply;
  }
  Reply mutate(const Question& question) { return ask(PodWebhook::kMutatePath, question); }
  Reply validate(const Question& question) { return ask(PodWebhook::kValidatePath, question); }

  net::testing::VirtualWorld world;
  NamespaceServer server{world.loop};
  kube::Credentials credentials;
  kube::Client kube{server, credentials};
  telemetry::Metrics metrics;
  PodWebhook admission;
  net::TaskGroup running{world.loop};
};

}  // namespace bridge::testing
