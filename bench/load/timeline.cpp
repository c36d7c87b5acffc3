// SPDX-License-Identifier: Apache-2.0
#include "timeline.h"

#include "kube/cache/store.h"

#include <utility>

namespace load {
namespace {

std::string_view text_at(const json::Node& object, std::string_view part, std::string_view field) {
  const auto inner = object.find(part);
  const auto value = inner ? inner->find(field) : std::nullopt;
  return value ? value->as_string().value_or("") : "";
}

bool is_explained(const json::Node& pod) {
  const auto status = pod.find("status");
  const auto conditions = status ? status->find("conditions") : std::nullopt;
  bool found = false;
  if (conditions) {
    conditions->each_element([&](const json::Node& condition) {
      const auto type = condition.find("type");
      found = found || (type && type->as_string() == "PodScheduled");
      return !found;
    });
  }
  return found;
}

}  // namespace

Timeline::Timeline(net::Loop& loop, std::string job_label)
    : loop_(loop), news_(loop), job_label_(std::move(job_label)) {}

std::string_view Timeline::job_of(const json::Node& pod) const {
  const auto metadata = job_label_.empty() ? std::nullopt : pod.find("metadata");
  return metadata ? text_at(*metadata, "labels", job_label_) : "";
}

void Timeline::sent(const std::string& name) {
  pods_[name].sent = loop_.clock().wall();
}

void Timeline::created(const std::string& name) {
  note(pods_[name].created, Until::created);
}

std::int32_t Timeline::count(Until stage) const {
  const auto found = counts_.find(stage);
  return found == counts_.end() ? 0 : found->second;
}

void Timeline::list_ends() {
  synced_ = true;
  news_.notify();
}

void Timeline::changed(const json::Node& object) {
  const auto found = pods_.find(kube::key_of(object).name);
  if (found == pods_.end()) return;
  Times& times = found->second;
  bool is_news = false;
  if (const auto job = job_of(object); !job.empty() && note(times.labelled, Until::labelled)) {
    times.job = job;
    is_news = true;
  }
  if (is_explained(object)) is_news = note(times.explained, Until::explained) || is_news;
  if (!text_at(object, "spec", "nodeName").empty())
    is_news = note(times.bound, Until::bound) || is_news;
  if (is_news) news_.notify();
}

bool Timeline::note(std::optional<base::WallTime>& time, Until stage) {
  if (time) return false;
  time = loop_.clock().wall();
  ++counts_[stage];
  return true;
}

}  // namespace load
