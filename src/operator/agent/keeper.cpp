// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/keeper.h"

#include "net/files/small_file.h"
#include "operator/agent/durable_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace slurmop::agent {
namespace {

using base::Kind;
using Outcome = Verdict::Outcome;

net::Task<bool> is_stopping() {
  co_return net::is_cancelled(co_await net::asio::this_coro::cancellation_state);
}

std::string rejected_file(const KeeperFolders& folders) {
  return folders.saved + "/rejected";
}

}  // namespace

ConfigKeeper::ConfigKeeper(net::Loop& loop, base::Log log, Slurm& slurm, KeeperFolders folders)
    : loop_(loop),
      log_(std::move(log)),
      slurm_(slurm),
      folders_(std::move(folders)),
      active_folder_(folders_.active, ConfigFolder::Links::each_file),
      saved_folder_(folders_.saved, ConfigFolder::Links::none) {}

Report ConfigKeeper::report() const {
  Report report{.seen = candidate_ ? candidate_->hash : std::string(),
                .active = active_ ? active_->hash : std::string(),
                .checked_at = checked_at_};
  if (!candidate_error_.empty()) {
    report.error = candidate_error_;
  } else if (attempt_ && candidate_is(attempt_->id)) {
    report.error = attempt_->message;
  } else {
    report.error = reconfigure_error_;
  }
  return report;
}

std::string ConfigKeeper::missing() const {
  if (active_) return {};
  std::string error = report().error;
  if (!error.empty()) return error;
  return candidate_ ? "the configuration is being checked" : "there is no configuration yet";
}

net::Task<void> ConfigKeeper::run() {
  start();
  for (;;) {
    co_await step();
    const auto slept = co_await loop_.sleep_for(timing_.poll);
    if (!slept.ok()) co_return;
  }
}

// The files of an earlier process were checked: slurmctld may start with them at once.
void ConfigKeeper::start() {
  read_rejected();
  const auto active = active_folder_.read();
  if (const auto saved = saved_folder_.read()) {
    use_saved(*saved, active);
  } else if (active) {
    active_ = active;
    accept();
  }
  if (active_) log_.info("configuration is active at start", {{"hash", active_->hash}});
}

void ConfigKeeper::use_saved(const Configuration& saved,
                             const std::optional<Configuration>& active) {
  if (active != saved) {
    const auto written = active_folder_.write(saved);
    if (!written.ok()) {
      log_.error("saved configuration cannot be used", {{"error", written.error()}});
      active_ = active;
      return;
    }
    reconfigure_due_ = active.has_value();
  }
  active_ = saved;
  good_ = saved;
}

// The first line is the id, the rest is the message.
void ConfigKeeper::read_rejected() {
  const auto text = net::read_small_file(rejected_file(folders_));
  if (!text.ok()) return;
  const std::size_t end = text->find('\n');
  if (end == std::string::npos) return;
  attempt_ = Attempt{.id = text->substr(0, end),
                     .end = Attempt::End::rejected,
                     .message = text->substr(end + 1),
                     .at = loop_.now()};
}

net::Task<void> ConfigKeeper::step() {
  read_candidate();
  if (candidate_ && must_check({content_id(*candidate_), active_id(), attempt_, loop_.now()})) {
    co_await check_candidate();
  }
  if (reconfigure_due_ && loop_.now() >= reconfigure_at_) co_await reconfigure();
  if (save_due_ && loop_.now() >= save_at_) save();
}

void ConfigKeeper::read_candidate() {
  auto read = read_configuration(folders_.candidate);
  if (read.ok()) {
    const bool is_new = candidate_ != *read;
    if (is_new && (!active_ || *read != *active_)) {
      log_.info(
          "new configuration",
          {{"hash", read->hash}, {"files", difference(active_.value_or(Configuration()), *read)}});
    }
    candidate_ = std::move(*read);
    candidate_error_.clear();
    return;
  }
  if (!read.error().is(Kind::invalid)) return;  // not there yet, or being replaced
  if (candidate_error_ != read.error().message()) {
    candidate_error_ = read.error().message();
    log_.error("configuration cannot be read", {{"error", read.error()}});
  }
}

bool ConfigKeeper::candidate_is(const std::string& id) const {
  return candidate_ && content_id(*candidate_) == id;
}

net::Task<void> ConfigKeeper::check_candidate() {
  const Configuration checked = *candidate_;
  Verdict verdict = co_await slurm_.check(checked);
  if (co_await is_stopping()) co_return;
  checked_at_ = loop_.clock().wall();
  switch (verdict.outcome) {
    case Outcome::valid:
      read_candidate();
      if (candidate_ == checked) activate(checked);  // else the newer one is checked next
      co_return;
    case Outcome::invalid:
      remember(checked, Attempt::End::invalid, std::move(verdict.message));
      co_return;
    case Outcome::unchecked:
      remember(checked, Attempt::End::unchecked, std::move(verdict.message));
      co_return;
  }
}

void ConfigKeeper::remember(const Configuration& configuration,
                            Attempt::End end,
                            std::string message) {
  Attempt attempt{.id = content_id(configuration),
                  .end = end,
                  .message = std::move(message),
                  .at = loop_.now()};
  const bool known = attempt_ && attempt_->id == attempt.id && attempt_->message == attempt.message;
  attempt_ = next_attempt(attempt_, std::move(attempt));
  if (known) return;
  log_.warn("configuration is not used",
            {{"hash", configuration.hash},
             {"reason", attempt_->message},
             {"active", active_ ? active_->hash : std::string()}});
}

void ConfigKeeper::activate(const Configuration& configuration) {
  const auto written = active_folder_.write(configuration);
  if (!written.ok()) {
    remember(configuration, Attempt::End::unchecked, written.error().message());
    return;
  }
  attempt_.reset();
  reconfigure_due_ = active_.has_value();
  reconfigure_at_ = loop_.now();
  reconfigure_failures_ = 0;
  reconfigure_error_.clear();
  active_ = configuration;
  log_.info("configuration is active", {{"hash", active_->hash}});
  if (!reconfigure_due_) accept();
}

net::Task<void> ConfigKeeper::reconfigure() {
  const Readiness before = co_await slurm_.readiness(*active_);
  if (before == Readiness::unreachable) co_return;  // it will start with the active files
  if (co_await is_stopping()) co_return;
  const auto accepted = co_await slurm_.reconfigure(*active_);
  const Effect effect = co_await this->effect();
  if (co_await is_stopping()) co_return;
  if (effect == Effect::gone) {
    restore("slurmctld ended when it read this configuration, although the checks accepted it");
  } else if (!accepted.ok()) {
    reconfigure_later(accepted.error().message());
  } else if (effect == Effect::not_ready) {
    reconfigure_later(
        fmt::format("slurmctld was not ready {} s after it read the configuration",
                    std::chrono::duration_cast<std::chrono::seconds>(timing_.until_ready).count()));
  } else {
    log_.info("slurmctld uses the configuration", {{"hash", active_->hash}});
    accept();
  }
}

// A slurmctld that ends because of its files may answer once more before it ends, and may be started
// again by the kubelet; so it must be ready several times in a row.
net::Task<ConfigKeeper::Effect> ConfigKeeper::effect() {
  const base::Instant end = loop_.in(timing_.until_ready);
  Readiness last = Readiness::not_ready;
  std::uint32_t equal = 0;  // answers in a row
  while (loop_.now() < end) {
    const auto slept = co_await loop_.sleep_for(timing_.poll);
    if (!slept.ok()) co_return Effect::not_ready;
    const Readiness now = co_await slurm_.readiness(*active_);
    equal = now == last ? equal + 1 : 1;
    last = now;
    if (now == Readiness::ready && equal >= timing_.ready_answers) co_return Effect::in_use;
    if (now == Readiness::unreachable && equal >= timing_.gone_answers) co_return Effect::gone;
  }
  co_return Effect::not_ready;
}

void ConfigKeeper::reconfigure_later(std::string why) {
  ++reconfigure_failures_;
  reconfigure_at_ = loop_.in(retry_delay(reconfigure_failures_));
  if (reconfigure_error_ == why) return;
  reconfigure_error_ = std::move(why);
  log_.warn("slurmctld does not use the configuration yet",
            {{"hash", active_->hash}, {"reason", reconfigure_error_}});
}

void ConfigKeeper::restore(std::string why) {
  if (!good_ || *good_ == *active_) return reconfigure_later(std::move(why));
  if (const auto written = active_folder_.write(*good_); !written.ok()) {
    return reconfigure_later(
        fmt::format("{}; the previous one cannot be restored: {}", why, written.error().message()));
  }
  const Configuration rejected = *std::exchange(active_, good_);
  reconfigure_error_.clear();
  why += "; the previous one is active again";
  remember(rejected, Attempt::End::rejected, why);
  const std::string record = content_id(rejected) + "\n" + why;
  if (const auto kept = replace_file(rejected_file(folders_), record); !kept.ok()) {
    log_.error("rejected configuration cannot be recorded", {{"error", kept.error()}});
  }
}

void ConfigKeeper::accept() {
  reconfigure_due_ = false;
  reconfigure_failures_ = 0;
  reconfigure_error_.clear();
  good_ = active_;
  save_due_ = true;
  save();
}

void ConfigKeeper::save() {
  if (saved_folder_.read() != good_) {
    if (const auto saved = saved_folder_.write(*good_); !saved.ok()) {
      log_.error("configuration cannot be saved", {{"error", saved.error()}});
      save_at_ = loop_.in(timing_.save_again);
      return;
    }
  }
  save_due_ = false;
  if (attempt_) return;  // perhaps the rejected one
  std::error_code ignored;
  std::filesystem::remove(rejected_file(folders_), ignored);
}

}  // namespace slurmop::agent
