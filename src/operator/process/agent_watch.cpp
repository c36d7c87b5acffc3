// SPDX-License-Identifier: Apache-2.0
#include "operator/process/agent_watch.h"

#include "json/pointer.h"
#include "operator/agent/report.h"
#include "operator/settle/names.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace slurmop::process {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using plan::ConfigReport;

auto content(const ConfigReport& report) {
  return std::tie(report.seen, report.active, report.error);
}

bool is_same(const std::optional<ConfigReport>& a, const std::optional<ConfigReport>& b) {
  return a.has_value() == b.has_value() && (!a || content(*a) == content(*b));
}

std::string member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
}

// The hash of the files that the agent should see.
std::string published_hash(const Stores& stores, const kube::ObjectKey& cluster) {
  const settle::Names names(settle::Naming::prefixed, cluster.name, cluster.ns, "");
  const auto map = stores.find(kube::kConfigMaps, {cluster.ns, names.slurm_configs()});
  const json::Value* data = map ? json::find(map->content, {"data"}) : nullptr;
  return data == nullptr ? std::string() : member(*data, "hash");
}

}  // namespace

AgentWatch::AgentWatch(const LinkContext& context, kube::ObjectKey cluster, AgentWatchTiming timing)
    : loop_(context.access.loop),
      stores_(context.stores),
      endpoints_(context.endpoints),
      cluster_(std::move(cluster)),
      timing_(timing),
      transport_(
          context.endpoints, [this] { return endpoints_.agent(cluster_); }, "the controller pod") {}

net::Task<void> AgentWatch::run() {
  for (;;) {
    co_await ask();
    has_tried_ = true;
    if (!(co_await loop_.sleep_for(pause())).ok()) co_return;
  }
}

base::Duration AgentWatch::pause() const {
  const bool is_current = report_ && report_->seen == published_hash(stores_, cluster_);
  return is_current ? timing_.interval : timing_.soon;
}

net::Task<Result<ConfigReport>> AgentWatch::read() {
  CO_TRY(const net::http::Response answer,
         co_await transport_.send(net::http::Request("GET", "/status"), loop_.in(timing_.call)));
  if (answer.status != 200)
    co_return Error(Kind::unavailable, fmt::format("the agent answered {}", answer.status));
  CO_TRY(agent::Report report, agent::decode_report(answer.body));
  co_return ConfigReport{std::move(report.seen), std::move(report.active), std::move(report.error)};
}

net::Task<void> AgentWatch::ask() {
  const std::optional<Address> address = endpoints_.agent(cluster_);
  if (address != address_) set(std::nullopt);
  address_ = address;
  if (!address) co_return;
  auto answer = co_await read();
  if (answer.ok()) {
    as_of_ = loop_.now();
    set(std::move(*answer));
  } else if (report_ && loop_.now() - as_of_ > timing_.stale_after) {
    set(std::nullopt);
  }
}

void AgentWatch::set(std::optional<ConfigReport> report) {
  if (is_same(report_, report)) return;
  report_ = std::move(report);
  if (changed_) changed_();
}

}  // namespace slurmop::process
