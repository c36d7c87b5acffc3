// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: a model of the API server behind HTTP, on virtual time, and a client of it.

#include "kube/client/access.h"
#include "kube/client/client.h"
#include "models/kube/json.h"
#include "models/kube/server.h"
#include "models/kubectl/http.h"
#include "net/http/client.h"
#include "net/http/server.h"
#include "net/testing/loop.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kube::testing {

// Counts and records the requests of a transport.
class Recorded final : public net::http::Transport {
 public:
  explicit Recorded(net::http::Transport& to) : to_(to) {}
  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override {
    requests.push_back(request);
    return to_.send(std::move(request), deadline);
  }
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                             base::Instant deadline) override {
    requests.push_back(request);
    return to_.open(std::move(request), deadline);
  }
  // The requests that are not GET.
  std::size_t writes() const {
    std::size_t count = 0;
    for (const auto& request : requests) count += request.method == "GET" ? 0 : 1;
    return count;
  }
  std::vector<net::http::Request> requests;

 private:
  net::http::Transport& to_;
};

struct ModelWorld : net::testing::VirtualWorld {
  ModelWorld() { server.track_all_fields(); }
  ~ModelWorld() {
    finish();
    kept_.clear();
    run(stop_server());
  }

  // Ends the tasks of `work`: call it before the objects that they use are destroyed.
  void finish() { run(end_work()); }
  // Keeps an object that the tasks use until they have ended.
  template <class T, class... Arguments>
  T& keep(Arguments&&... arguments) {
    auto object = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    kept_.push_back(object);
    return *object;
  }

  // Runs until the condition holds; aborts if it never does.
  net::Task<void> until(std::function<bool()> condition) {
    const base::Instant end = loop.in(std::chrono::minutes(10));
    while (!condition() && loop.now() < end)
      (void)co_await loop.sleep_for(std::chrono::milliseconds(10));
  }
  void wait_until(std::function<bool()> condition) { run(until(std::move(condition))); }
  void pass(base::Duration time) { run(sleep(time)); }

  const json::Value* find(std::string plural, std::string ns, std::string name) const {
    return server.find({std::move(plural), std::move(ns), std::move(name)});
  }
  void send(std::string method, std::string target, std::string body = {}) {
    net::http::Request request(std::move(method), std::move(target), std::move(body));
    request.headers.emplace_back(
        "Content-Type",
        request.method == "PATCH" ? "application/merge-patch+json" : "application/json");
    (void)server.handle(request);
  }

  models::kube::KubeServer server{clock};
  models::kubectl::KubeHttp http{loop, server};
  net::HttpServer listener{loop, http.handler()};
  net::HttpClient connections{
      loop,
      std::make_unique<net::testing::MemoryConnector>(
          loop, [this](std::unique_ptr<net::Stream> stream) { listener.serve(std::move(stream)); }),
      {"model", "test"}};
  Recorded transport{connections};
  Credentials credentials;
  Client client{transport, credentials};
  Access access{loop, client};
  net::TaskGroup work{loop};

 private:
  net::Task<void> end_work() {
    work.cancel();
    co_await work.join();
  }
  net::Task<void> sleep(base::Duration time) { (void)co_await loop.sleep_for(time); }
  net::Task<void> stop_server() { co_await listener.stop(loop.now()); }

  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace kube::testing
