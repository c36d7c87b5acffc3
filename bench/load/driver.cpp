// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

#include "bodies.h"
#include "kube/auth/connect.h"
#include "kube/cache/store.h"

#include <fmt/format.h>

#include <utility>

namespace load {

using base::Error;
using base::Kind;
using base::Result;

Driver::Driver(net::Loop& loop, Plan plan, const kube::ClusterConfig& config, base::Log log)
    : loop_(loop),
      plan_(std::move(plan)),
      config_(config),
      log_(std::move(log)),
      credentials_(config.credentials(loop)),
      timeline_(loop, plan_.job_label) {}

Result<void> Driver::prepare() {
  for (std::int32_t i = 0; i < plan_.connections; ++i) {
    TRY(auto transport, kube::connect(loop_, config_, credentials_, "bench-load"));
    auto client = std::make_unique<kube::Client>(*transport, credentials_);
    links_.push_back({std::move(transport), std::move(client)});
  }
  return {};
}

net::Task<Result<void>> Driver::run() {
  const base::Instant deadline = loop_.in(plan_.within);
  CO_TRY_VOID(co_await warm_up());
  if (plan_.verb == Verb::clear) CO_TRY_VOID(co_await delete_pods());

  kube::Reflector reflector(
      loop_, *links_.front().client, {kube::kPods, plan_.ns, "", ""}, timeline_, log_);
  net::TaskGroup watching(loop_);
  if (plan_.verb == Verb::create && plan_.until != Until::created) {
    watching.spawn("watch", reflector.run());
    while (!timeline_.synced() && loop_.now() < deadline)
      (void)co_await timeline_.news().wait_until(deadline);
  }

  const base::Instant began = loop_.now();
  net::TaskGroup working(loop_);
  for (Link& link : links_) working.spawn("worker", work(*link.client, began));
  co_await working.join();
  Result<void> outcome = failure_ ? Result<void>(*failure_) : Result<void>();
  if (outcome.ok() && !watching.empty()) outcome = co_await wait_for_pods(deadline);
  took_ = loop_.now() - began;
  watching.cancel();
  co_await watching.join();
  co_return outcome;
}

// A TLS handshake costs more than a write; it is not measured.
net::Task<Result<void>> Driver::warm_up() {
  for (Link& link : links_) CO_TRY_VOID(co_await link.client->get("/version", soon()));
  co_return Result<void>();
}

// One request for all; pods with a finalizer remain, and their finalizers are removed one by one.
net::Task<Result<void>> Driver::delete_pods() {
  kube::Client& client = *links_.front().client;
  const std::string all = kube::collection_path(kube::kPods, plan_.ns);
  const json::Object at_once{{"gracePeriodSeconds", 0}};
  CO_TRY_VOID(co_await client.remove(all, at_once, loop_.in(plan_.within)));
  CO_TRY(const std::string text, co_await client.get(all, soon()));
  json::Parser parser;
  CO_TRY(const json::Node list, parser.parse(text));
  if (const auto items = list.find("items")) {
    items->each_element([this](const json::Node& pod) {
      held_.push_back(kube::key_of(pod).name);
      return true;
    });
  }
  plan_.pods = static_cast<std::int32_t>(held_.size());
  co_return Result<void>();
}

net::Task<void> Driver::work(kube::Client& client, base::Instant began) {
  while (!failure_ && next_ < plan_.pods) {
    const std::int32_t number = next_++;
    if (plan_.per_second > 0) {
      const base::Duration pace =
          std::chrono::nanoseconds(std::chrono::seconds(1)) / plan_.per_second;
      (void)co_await loop_.sleep_until(began + number * pace);
    }
    const auto done = co_await one(client, number);
    if (!done.ok() && !failure_) failure_ = done.error();
  }
}

net::Task<Result<void>> Driver::one(kube::Client& client, std::int32_t number) {
  if (plan_.verb == Verb::clear) co_return co_await free(client, number);
  CO_TRY_VOID(co_await create(client, number));
  if (plan_.verb == Verb::bare) co_return co_await label_and_bind(client, number);
  co_return Result<void>();
}

net::Task<Result<void>> Driver::create(kube::Client& client, std::int32_t number) {
  const std::string name = pod_name(plan_, number);
  timeline_.sent(name);
  CO_TRY_VOID(co_await client.post(
      kube::collection_path(kube::kPods, plan_.ns), pod(plan_, number), soon()));
  timeline_.created(name);
  co_return Result<void>();
}

net::Task<Result<void>> Driver::label_and_bind(kube::Client& client, std::int32_t number) {
  const std::string name = pod_name(plan_, number);
  CO_TRY_VOID(co_await client.patch(
      path(name), kube::PatchType::merge, label_patch(plan_, number), soon()));
  CO_TRY_VOID(co_await client.post(path(name, "binding"), binding(plan_, number), soon()));
  co_return Result<void>();
}

net::Task<Result<void>> Driver::free(kube::Client& client, std::int32_t number) {
  const std::string& name = held_[static_cast<std::size_t>(number)];
  const json::Object unheld{{"metadata", json::Object{{"finalizers", nullptr}}}};
  const auto freed = co_await client.patch(path(name), kube::PatchType::merge, unheld, soon());
  if (!freed.ok() && !freed.error().is(Kind::not_found)) co_return freed.error();
  co_return Result<void>();
}

net::Task<Result<void>> Driver::wait_for_pods(base::Instant deadline) {
  while (timeline_.count(plan_.until) < plan_.pods) {
    if (loop_.now() >= deadline) {
      co_return Error(Kind::unavailable,
                      fmt::format("{} of {} pods came as far as wanted within the time",
                                  timeline_.count(plan_.until),
                                  plan_.pods));
    }
    CO_TRY_VOID(co_await timeline_.news().wait_until(deadline));
  }
  co_return Result<void>();
}

std::string Driver::path(const std::string& name, std::string_view subresource) const {
  return kube::object_path(kube::kPods, {plan_.ns, name}, subresource);
}

}  // namespace load
