// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/cache/reflector.h"
#include "net/async/signal.h"
#include "plan.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace load {

// When one pod reached its stages, in wall time, for comparison with other logs.
struct Times {
  std::optional<base::WallTime> sent;                        // the create was sent
  std::optional<base::WallTime> created;                     // and answered
  std::optional<base::WallTime> labelled, explained, bound;  // seen on the watch
  std::string job;
};

// Watches the pods of a run: those that were sent.
//
// Guarantees  the first time at which each stage was seen is kept; news() is notified when a
//             stage is new.
class Timeline final : public kube::Sink {
 public:
  // The label with the job id of a pod; without one that stage is not recorded.
  Timeline(net::Loop& loop, std::string job_label);

  void sent(const std::string& name);
  void created(const std::string& name);

  bool synced() const { return synced_; }
  // How many pods have reached a stage so far.
  std::int32_t count(Until stage) const;
  const std::map<std::string, Times>& pods() const { return pods_; }
  net::Signal& news() { return news_; }

  void list_begins() override {}
  void list_item(const json::Node& object) override { changed(object); }
  void list_ends() override;
  void changed(const json::Node& object) override;
  void deleted(const json::Node&) override {}

 private:
  std::string_view job_of(const json::Node& pod) const;
  // False if it was known.
  bool note(std::optional<base::WallTime>& time, Until stage);

  net::Loop& loop_;
  net::Signal news_;
  std::string job_label_;
  std::map<std::string, Times> pods_;
  std::map<Until, std::int32_t> counts_;
  bool synced_ = false;
};

}  // namespace load
