// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace bridge::runtime {

// Counts the executed steps by outcome, since the process started.
//
// Expects     few different steps, named by string literals: the names are not copied.
class StepCounters {
 public:
  using Counts = std::map<std::pair<std::string_view, std::string_view>, std::uint64_t>;

  static constexpr std::string_view kDone = "done";

  void done(std::string_view step) { ++counts_[{step, kDone}]; }
  void failed(std::string_view step, base::Kind kind) { ++counts_[{step, name(kind)}]; }

  // By step and outcome.
  const Counts& counts() const { return counts_; }

 private:
  Counts counts_;
};

}  // namespace bridge::runtime
