// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"
#include "base/nearest.h"
#include "base/quote.h"

#include <fmt/format.h>

#include <optional>

namespace base {

// One parse of one command line.
class Flags::Parse {
 public:
  Parse(const Flags& flags, std::span<const std::string_view> left) : flags_(flags), left_(left) {}

  Result<Outcome> run() {
    bool flags_ended = false;
    while (!left_.empty() && !outcome_.help_asked) {
      const std::string_view token = take();
      if (!flags_ended && token == "--") {
        flags_ended = true;
      } else if (!flags_ended && token.size() > 1 && token.front() == '-') {
        TRY_VOID(take_flag(token));
      } else {
        TRY_VOID(take_argument(token));
      }
    }
    if (!outcome_.help_asked) TRY_VOID(check_nothing_is_missing());
    return std::move(outcome_);
  }

 private:
  std::string_view take() {
    const std::string_view token = left_.front();
    left_ = left_.subspan(1);
    return token;
  }

  Result<void> take_flag(std::string_view token) {
    std::string_view name = token.substr(token.starts_with("--") ? 2 : 1);
    std::optional<std::string_view> value;
    if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    }
    if (name.empty() || name.front() == '-') {
      return Error(Kind::invalid,
                   fmt::format("{} is not a flag; write --name=value", quoted(token)));
    }
    const Flag* flag = flags_.find(name);
    if (flag == nullptr) return unknown(name);
    if (!value && !flag->type.empty()) {
      if (left_.empty()) {
        return Error(Kind::invalid,
                     fmt::format("flag --{} needs a value; write --{}={}", name, name, flag->type));
      }
      value = take();
    }
    last_switch_ = flag->type.empty() && !value ? flag : nullptr;
    return apply(*flag, value.value_or("true"));
  }

  Result<void> apply(const Flag& flag, std::string_view value) {
    if (!flag.set) {
      outcome_.warnings.push_back(fmt::format(
          "flag --{} is accepted for compatibility and has no effect: {}", flag.name, flag.help));
      return {};
    }
    Result<void> set = flag.set(value);
    if (!set) return std::move(set).error().in(fmt::format("flag --{}", flag.name));
    return {};
  }

  Result<void> unknown(std::string_view name) {
    if (name == "h" || name == "help") {
      outcome_.help_asked = true;
      return {};
    }
    std::vector<std::string_view> known;
    for (const Flag& flag : flags_.flags_) known.push_back(flag.name);
    const std::optional<std::string_view> meant = nearest(name, known);
    const std::string hint = meant ? fmt::format("did you mean --{}?", *meant)
                                   : std::string("--help lists the flags that exist");
    return Error(Kind::invalid, fmt::format("unknown flag {}; {}", quoted(name), hint));
  }

  Result<void> take_argument(std::string_view token) {
    if (next_ == flags_.arguments_.size()) {
      // "-leader-elect false" means a switch that is on, followed by an argument.
      const std::string fix = last_switch_ == nullptr
                                  ? fmt::format("see {} --help", flags_.command_)
                                  : fmt::format("a switch takes its value with \"=\": --{}={}",
                                                last_switch_->name,
                                                cut(token, 64));
      return Error(Kind::invalid, fmt::format("unexpected argument {}; {}", quoted(token), fix));
    }
    const Argument& argument = flags_.arguments_[next_];
    if (!argument.repeats) ++next_;
    last_switch_ = nullptr;
    return argument.set(token);
  }

  Result<void> check_nothing_is_missing() const {
    if (next_ == flags_.arguments_.size()) return {};
    const Argument& argument = flags_.arguments_[next_];
    if (argument.need == Need::optional) return {};
    return Error(Kind::invalid,
                 fmt::format("argument {} is missing ({}); see {} --help",
                             argument.name,
                             argument.help,
                             flags_.command_));
  }

  const Flags& flags_;
  std::span<const std::string_view> left_;
  std::size_t next_ = 0;               // index of the next positional argument
  const Flag* last_switch_ = nullptr;  // the previous argument, if it was a switch without a value
  Outcome outcome_;
};

Result<Flags::Outcome> Flags::parse(std::span<const std::string_view> arguments) const {
  return Parse(*this, arguments).run();
}

Result<Flags::Outcome> Flags::parse(int argc, const char* const* argv) const {
  const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return parse(arguments);
}

}  // namespace base
