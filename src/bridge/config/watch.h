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

// Notices that the configuration file says something else, a ConfigMap's included, whose files are
// swapped as links.
//
// Guarantees  a text counts when two looks in a row saw the same one, for a file may be caught
//             while it is written. One that is wrong, or gone, is an error in the log, once, and
//             what was in force stays. Keys that need a restart are named in the log, once.
// Does not    change anything itself.
class ConfigWatch {
 public:
  struct File {
    std::string path;
    std::vector<ConfigOverride> overrides;  // what counts more than the file, now as at the start
  };
  using Changed = std::function<void(const Config&)>;

  // `changed` is told when keys changed whose values count at once.
  ConfigWatch(net::Loop& loop, base::Log log, File file, Config at_start, Changed changed);

  // Until it is cancelled.
  net::Task<void> run();

 private:
  struct Look {
    bool readable = false;
    std::string text;  // the file's, or why it cannot be read

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
  std::string needs_restart_;  // what was last said of it
};

}  // namespace bridge::config
