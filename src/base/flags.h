// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace base {

// The words for yes and no that Go programs take: true, TRUE, t, 1 and their opposites.
Result<bool> parse_bool(std::string_view text);

// Command line flags as Go programs take them: -name value, --name value, -name=value and
// --name=value. A switch (bool) takes a value only with "=": -name, --name=false. "--" ends the
// flags. Flags and arguments may be mixed. Of a flag given twice the last one counts; lists
// collect.
//
//   Flags flags("slurm-bridge controllers", "Keeps pods and Slurm jobs in step.");
//   flags.add("config", &config, "where the configuration is");
//   flags.ignore("feature-gates", Flags::Takes::value, "there are no feature gates here");
//   TRY(const Flags::Outcome outcome, flags.parse(arguments));
//
// Expects     variables that outlive the Flags and hold their defaults when they are added; each
//             name registered once (twice throws std::logic_error: a bug).
// Guarantees  an error names the flag, and the nearest known one if it does not exist. Variables
//             set before the error stay set.
// Does not    print or exit.
class Flags {
 public:
  struct Outcome {
    bool help_asked = false;  // -h or --help was met; what comes after it was not looked at
    std::vector<std::string> warnings;  // one sentence for each ignored flag that was given
  };
  using Set = std::function<Result<void>(std::string_view value)>;
  enum class Takes { value, nothing };
  enum class Need { required, optional };

  Flags(std::string command, std::string summary);

  void add(std::string_view name, bool* into, std::string_view help);
  void add(std::string_view name, std::int32_t* into, std::string_view help);
  void add(std::string_view name, std::int64_t* into, std::string_view help);
  void add(std::string_view name, std::string* into, std::string_view help);
  void add(std::string_view name, Duration* into, std::string_view help);
  void add(std::string_view name, std::vector<std::string>* into, std::string_view help);
  // Anything else; `type` stands for the value in the help. Without a type it is a switch.
  void add(std::string_view name, Set set, std::string_view type, std::string_view help);

  // A flag of the reference that means nothing here. Using it is no error, but gives a warning.
  void ignore(std::string_view name, Takes takes, std::string_view why);

  // Arguments that are no flags, in the order of registration. Unregistered ones are refused.
  void argument(std::string_view name,
                std::string* into,
                std::string_view help,
                Need need = Need::required);
  // All arguments that are left, possibly none.
  void rest(std::string_view name, std::vector<std::string>* into, std::string_view help);

  // Expects     the arguments without the program's name.
  Result<Outcome> parse(std::span<const std::string_view> arguments) const;
  // The same for main's own; begins at argv[1].
  Result<Outcome> parse(int argc, const char* const* argv) const;

  std::string help() const;

 private:
  struct Flag {
    std::string name;
    std::string type;  // empty for a switch
    std::string help;
    std::string fallback;  // the default, as the help shows it; empty if there is nothing to show
    Set set;               // empty for an ignored flag
  };
  struct Argument {
    std::string name;
    std::string help;
    Need need;
    bool repeats;
    Set set;
  };
  class Parse;

  void add(Flag flag);
  const Flag* find(std::string_view name) const;

  std::string command_;
  std::string summary_;
  std::vector<Flag> flags_;
  std::vector<Argument> arguments_;
};

}  // namespace base
