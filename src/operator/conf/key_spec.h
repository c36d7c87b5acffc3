// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace slurmop::conf {

// What Slurm expects as the value of a key.
enum class Form {
  boolean,  // yes or no
  number,   // decimal, in a range; never with a leading zero, which Slurm would read as octal
  time,     // minutes, or [days-]hours:minutes[:seconds], or UNLIMITED
  choice,   // one word of a list
  choices,  // several words of a list, separated by commas
  counted,  // one word of a list, optionally with a count: FORCE:4
  options,  // several options of a list: `name`, or `name=value` where the list says so
  plugin,   // one plugin of a list, with its type: sched/backfill
  plugins,  // several plugins, separated by commas
  name,     // one name of a cluster, user, partition or feature
  names,    // several names, separated by commas
  host,     // a host name or an address
  path,     // an absolute path; may contain Slurm's patterns such as %n
  nodes,    // a node expression: worker-[0-3],gpu-1
  text,     // anything that a Value accepts
};

// Who may set a key.
enum class Owner {
  user,          // custom configuration may set it; the operator's own line is then left out
  both,          // a list: the operator's entries and those of the custom configuration are joined
  operator_own,  // the operator sets it; custom configuration must not
  forbidden,     // Slurm has removed the key, or the key must not be used
};

// One known key of a configuration file. `words` of Form::options have one of three forms: "name"
// takes no value, "name=#" takes a number and "name=*" any text without a comma.
struct KeySpec {
  std::string_view name;
  Form form = Form::text;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  bool unlimited = false;  // number: INFINITE and UNLIMITED are accepted as well
  std::span<const std::string_view> words = {};
  Owner owner = Owner::user;
  std::string_view remedy = {};  // operator_own and forbidden: what to do instead
  bool repeats = false;          // several lines with this key add up
};

// Checks the text against the form of the key. The message names the value and what is expected,
// not the key.
base::Result<void> check(const KeySpec& spec, std::string_view text);

// Returns a value that check() accepts, for the test against Slurm's own parser.
std::string sample_value(const KeySpec& spec);

// Returns the spec of a key, ignoring case; null if there is none.
const KeySpec* find_key(std::span<const KeySpec> keys, std::string_view name);

// Returns the most similar key that custom configuration may set; empty if none is similar.
std::string_view nearest_key(std::span<const KeySpec> keys, std::string_view name);

}  // namespace slurmop::conf
