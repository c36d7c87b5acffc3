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

// Parses the boolean values that Go programs accept: true, TRUE, t, 1 and their opposites.
Result<bool> parse_bool(std::string_view text);

// Command-line flags in the form of Go programs: -name value, --name value, -name=value and
// --name=value. A switch (bool) takes a value only with "=": -name, --name=false. "--" ends the
// flags. Flags and arguments may be mixed. If a flag is repeated, the last value is used; lists
// collect all values.
//
//   Flags flags("slurm-bridge controllers", "Keeps pods and Slurm jobs in step.");
//   flags.add("config", &config, "where the configuration is");
//   flags.ignore("feature-gates", Flags::Takes::value, "there are no feature gates here");
//   TRY(const Flags::Outcome outcome, flags.parse(arguments));
//
// Expects     variables that outlive the Flags and hold their defaults when they are added; each
//             name is registered once (a second time throws std::logic_error: a bug).
// Guarantees  an error names the flag, and for an unknown flag the most similar known one.
//             Variables set before the error stay set.
// Does not    print or exit.
class Flags {
 public:
  struct Outcome {
    bool help_asked = false;  // -h or --help was given; the arguments after it were not parsed
    std::vector<std::string> warnings;  // one for each ignored flag that was given
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
  // Any other type; `type` is the placeholder of the value in the help. Without a type it is a
  // switch.
  void add(std::string_view name, Set set, std::string_view type, std::string_view help);

  // A flag of the reference that has no effect here. Its use is not an error but causes a warning.
  void ignore(std::string_view name, Takes takes, std::string_view why);

  // Positional arguments, in the order of registration. Further arguments are an error.
  void argument(std::string_view name,
                std::string* into,
                std::string_view help,
                Need need = Need::required);
  // Takes all remaining arguments, possibly none.
  void rest(std::string_view name, std::vector<std::string>* into, std::string_view help);

  // Expects     the arguments without the program name.
  Result<Outcome> parse(std::span<const std::string_view> arguments) const;
  // The same for the arguments of main; starts at argv[1].
  Result<Outcome> parse(int argc, const char* const* argv) const;

  std::string help() const;

 private:
  struct Flag {
    std::string name;
    std::string type;  // empty for a switch
    std::string help;
    std::string fallback;  // the default for the help; empty: not shown
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
