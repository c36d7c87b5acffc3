// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/conf/value.h"

#include <string>
#include <utility>
#include <vector>

namespace slurmop::conf {

struct Pair {
  Key key;
  Value value;

  friend bool operator==(const Pair&, const Pair&) = default;
};

// One line of a Slurm configuration file: `Key=Value`, or for nodes and partitions several pairs of
// which the first names the line. Not empty.
class Line {
 public:
  explicit Line(Pair first) : pairs_{std::move(first)} {}

  void add(Pair pair) { pairs_.push_back(std::move(pair)); }
  const Pair& first() const { return pairs_.front(); }
  const std::vector<Pair>& pairs() const { return pairs_; }
  // Without the line break.
  std::string rendered() const;
  friend bool operator==(const Line&, const Line&) = default;

 private:
  std::vector<Pair> pairs_;
};

}  // namespace slurmop::conf
