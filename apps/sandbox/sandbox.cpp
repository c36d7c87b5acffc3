// SPDX-License-Identifier: Apache-2.0
#include "sandbox.h"

#include "kube/auth/yaml_json.h"
#include "models/kube/refusal.h"
#include "net/transport/acceptor.h"
#include "nodes.h"
#include "queue_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace sandbox {
namespace {

using namespace std::chrono_literals;

net::http::Answer signed_by_us(net::http::Answer answer) {
  // slurmrestd's own "Connection: Close" on errors; our server manages its connections itself.
  std::erase_if(answer.response.headers, [](const net::http::Header& header) {
    return net::http::is_same_name(header.name, "Connection");
  });
  answer.response.headers.emplace_back("Server", std::string(kName));
  return answer;
}

bool is_yaml(const net::http::Request& request) {
  const auto type = request.header("Content-Type");
  return type && type->starts_with("application/yaml");
}

// The real API server reads YAML too: a user without kubectl can send a file with curl.
base::Result<net::http::Request> as_json(const net::http::Request& request) {
  TRY(const json::Value object, kube::parse_yaml(request.body));
  net::http::Request changed(request.method, request.target, object.dump());
  changed.headers = request.headers;
  for (net::http::Header& header : changed.headers) {
    if (net::http::is_same_name(header.name, "Content-Type")) header.value = "application/json";
  }
  return changed;
}

net::http::Request post(std::string path, const json::Value& object) {
  net::http::Request request("POST", std::move(path), object.dump());
  request.headers.emplace_back("Content-Type", "application/json");
  return request;
}

models::actors::KubeletOptions kubelet_options(net::Loop& loop) {
  models::actors::KubeletOptions options;
  options.some_time = [&loop](base::Duration least, base::Duration most) {
    const auto span =
        static_cast<std::uint64_t>(std::min(most - least, base::Duration(1s)).count());
    return least + base::Duration(static_cast<base::Duration::rep>(loop.random() % (span + 1)));
  };
  options.tells_containers = true;
  return options;
}

}  // namespace

Sandbox::Sandbox(net::Loop& loop, const Settings& settings, base::Log log)
    : loop_(loop),
      settings_(settings),
      agenda_(loop.clock()),
      kube_(loop.clock()),
      slurm_(loop.clock(), slurm_options(settings.nodes)),
      kubelets_(agenda_, kube_, kubelet_options(loop)),
      jobs_(kube_, loop.clock()),
      kube_http_(loop, kube_),
      changed_(loop),
      kube_server_(
          loop, [this](net::http::Request r) { return answer_kube(std::move(r)); }, {}, log),
      slurm_server_(
          loop, [this](net::http::Request r) { return answer_slurm(std::move(r)); }, {}, log) {
  kube_.on_write([this](const models::kube::ObjectWrite& write) {
    if (write.object.plural == "pods") kubelets_.look_at(write.object.ns, write.object.name);
    objects_changed_ = true;
    changed_.notify();
  });
  populate();
}

void Sandbox::populate() {
  (void)kube_.handle(post("/api/v1/namespaces",
                          json::Object{{"metadata", json::Object{{"name", "slurm-bridge"}}}}));
  for (std::int32_t i = 0; i < settings_.nodes; ++i) {
    (void)kube_.handle(post("/api/v1/nodes", kube_node(i, loop_.clock().wall())));
  }
}

base::Result<Ports> Sandbox::listen() {
  const auto open = [this](std::int32_t port) {
    return net::listen_tcp(loop_, {"127.0.0.1", static_cast<std::uint16_t>(port)});
  };
  TRY(auto kube, open(settings_.kube_port));
  TRY(auto slurm, open(settings_.slurm_port));
  const Ports ports{kube->port(), slurm->port()};
  kube_server_.accept_from(std::move(kube));
  slurm_server_.accept_from(std::move(slurm));
  return ports;
}

base::Instant Sandbox::catch_up() {
  if (slurm_.next_tick() <= loop_.now()) slurm_.tick();
  while (agenda_.next() <= loop_.now()) agenda_.run_next();
  // Each may cause work for the other; both settle, because they write only changes.
  while (std::exchange(objects_changed_, false)) {
    jobs_.look();
    (void)kube_.tidy_namespaces();
  }
  return std::min(agenda_.next(), slurm_.next_tick());
}

net::Task<void> Sandbox::run() {
  while (!stopping_) {
    const base::Instant next = catch_up();
    const auto woken = co_await changed_.wait_until(next);
    if (!woken.ok()) break;
  }
  co_await kube_server_.stop(loop_.in(1s));
  co_await slurm_server_.stop(loop_.in(1s));
}

void Sandbox::stop() {
  stopping_ = true;
  changed_.notify();
}

net::Task<net::http::Answer> Sandbox::answer_kube(net::http::Request request) {
  if (is_yaml(request)) {
    auto json = as_json(request);
    if (!json.ok())
      co_return signed_by_us(
          models::kube::answer(models::kube::bad_request(json.error().message())));
    request = *std::move(json);
  }
  co_return signed_by_us(co_await kube_http_.handler()(std::move(request)));
}

net::Task<net::http::Answer> Sandbox::answer_slurm(net::http::Request request) {
  if (request.target == "/squeue") {
    co_return signed_by_us(net::http::Response(
        200, {{"Content-Type", "text/plain; charset=utf-8"}}, queue_page(slurm_)));
  }
  net::http::Response response = slurm_.handle(request);
  changed_.notify();
  co_return signed_by_us(std::move(response));
}

}  // namespace sandbox
