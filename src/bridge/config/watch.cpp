// SPDX-License-Identifier: Apache-2.0
#include "bridge/config/watch.h"

#include "bridge/config/keys.h"
#include "net/files/small_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bridge::config {
namespace {

using namespace std::chrono_literals;
using Change = ConfigKey::Change;

constexpr auto kLookEvery = 2s;
constexpr std::string_view kAlsoThere =
    "the API server calls the webhook only for namespaces in its configurations: register "
    "them again (deploy/webhook/render)";

// The keys of one group whose values differ, for messages; empty if none does.
std::string changed_of(Change change, const Config& before, const Config& after) {
  std::vector<std::string_view> changed = changed_keys(before, after);
  std::erase_if(changed, [change](std::string_view path) {
    return std::ranges::find(config_keys(), path, &ConfigKey::path)->change != change;
  });
  return fmt::format("{}", fmt::join(changed, ", "));
}

}  // namespace

ConfigWatch::ConfigWatch(
    net::Loop& loop, base::Log log, File file, Config at_start, Changed changed)
    : loop_(loop),
      log_(std::move(log)),
      file_(std::move(file)),
      at_start_(std::move(at_start)),
      in_force_(at_start_),
      changed_(std::move(changed)) {}

net::Task<void> ConfigWatch::run() {
  while ((co_await loop_.sleep_for(kLookEvery)).ok()) look();
}

void ConfigWatch::look() {
  auto text = net::read_small_file(file_.path);
  Look now{text.ok(), text.ok() ? *std::move(text) : text.error().message()};
  const bool settled = latest_ == now;
  latest_ = std::move(now);
  if (!settled || taken_ == latest_) return;
  taken_ = latest_;
  take(*taken_);
}

void ConfigWatch::take(const Look& look) {
  auto config = look.readable ? parse_config(look.text, file_.overrides)
                              : base::Result<Config>(base::Error(base::Kind::invalid, look.text));
  if (!config.ok()) {
    log_.error("the configuration is invalid; the previous one stays in force",
               {{"file", file_.path}, {"error", config.error().message()}});
    return;
  }
  if (config->warnings != in_force_.warnings) {
    for (const std::string& warning : config->warnings)
      log_.warn(fmt::format("{}: {}", file_.path, warning));
  }
  say_what_needs_a_restart(*config);
  const std::string keys = changed_of(Change::live, in_force_, *config);
  in_force_ = *std::move(config);
  if (keys.empty()) return;
  if (keys.contains("Namespace")) {
    log_.info("the configuration changed and is in force", {{"keys", keys}, {"next", kAlsoThere}});
  } else {
    log_.info("the configuration changed and is in force", {{"keys", keys}});
  }
  changed_(in_force_);
}

void ConfigWatch::say_what_needs_a_restart(const Config& config) {
  std::string keys = changed_of(Change::restart, at_start_, config);
  if (keys == needs_restart_) return;
  needs_restart_ = std::move(keys);
  if (!needs_restart_.empty())
    log_.warn("the configuration changed and needs a restart", {{"keys", needs_restart_}});
}

}  // namespace bridge::config
