// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "bridge/config/config.h"
#include "net/async/loop.h"
#include "net/async/task.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bridge::config {

// Detects changes of the configuration file, including that of a ConfigMap, whose files are
// replaced through context.
//
// Guarantees  a text counts when two consecutive reads returned it, because a file may be read
//             while it is being written. An invalid or missing file is logged as an error, once,
//             and the previous configuration stays in force. Keys that need a restart are logged
//             once.
// Does not    change anything itself.
class ConfigWatch {
 public:
  struct File {
    std::string path;
    std::vector<ConfigOverride> overrides;  // override the file, now as at the start
  };
  using Changed = std::function<void(const Config&)>;

  // `changed` is called when keys changed whose values take effect at once.
  ConfigWatch(net::Loop& loop, base::Log log, File file, Config at_start, Changed changed);

  // Runs until cancelled.
  net::Task<void> run();

 private:
  struct Look {
    bool readable = false;
    std::string text;  // of the file, or why it cannot be read

    bool operator==(const Look&) const = default;
  };

  void look();
  void take(const Look& look);
  void say_what_needs_a_restart(const Config& config);

  net::Loop& loop_;
  base::Log log_;
  File file_;
  Config at_start_;
  Config in_force_;
  Changed changed_;
  std::optional<Look> latest_;
  std::optional<Look> taken_;
  std::string needs_restart_;  // as last logged
};

}  // namespace bridge::config
