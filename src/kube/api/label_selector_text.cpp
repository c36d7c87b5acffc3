// SPDX-License-Identifier: Apache-2.0
#include "kube/api/label_selector_text.h"

#include "base/quote.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kube::inline api {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::string_view kSigns = "()=!,<>";
constexpr std::string_view kSpaces = " \t\r\n";

// One parse of one text, with one token of lookahead.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) { advance(); }

  Result<LabelSelector> read() {
    while (!at_end()) {
      TRY_VOID(read_requirement());
      if (at_end()) break;
      if (!take(",")) return expected("a comma");
      if (at_end()) return expected("another requirement");
    }
    return std::move(selector_);
  }

 private:
  void advance() {
    begin_ = std::min(text_.find_first_not_of(kSpaces, begin_ + token_.size()), text_.size());
    const std::string_view rest = text_.substr(begin_);
    std::size_t length = 1;
    if (rest.starts_with("==") || rest.starts_with("!=")) {
      length = 2;
    } else if (rest.empty() || !kSigns.contains(rest.front())) {
      length = std::min({rest.find_first_of(kSigns), rest.find_first_of(kSpaces), rest.size()});
    }
    token_ = rest.substr(0, length);
  }

  bool at_end() const { return token_.empty(); }
  bool at_word() const { return !at_end() && !kSigns.contains(token_.front()); }

  bool take(std::string_view sign) {
    if (token_ != sign) return false;
    advance();
    return true;
  }

  Error expected(std::string_view what) const {
    return Error(Kind::invalid,
                 fmt::format("at character {}: expected {} instead of {}",
                             begin_ + 1,
                             what,
                             at_end() ? "the end" : base::quoted(token_)));
  }

  Result<std::string> take_key() {
    if (!at_word()) return expected("a label key");
    if (const auto fine = check_label_key(token_); !fine.ok()) return at_token(fine.error());
    return take_word();
  }

  Result<std::string> take_value() {
    if (!at_word()) return std::string();  // "x=" means the empty value
    if (const auto fine = check_label_value(token_); !fine.ok()) return at_token(fine.error());
    return take_word();
  }

  std::string take_word() {
    std::string word(token_);
    advance();
    return word;
  }

  Error at_token(Error error) const {
    return std::move(error).in(fmt::format("at character {}", begin_ + 1));
  }

  Result<void> read_requirement() {
    const bool negated = take("!");
    TRY(std::string key, take_key());
    if (negated || at_end() || token_ == ",") {
      add(std::move(key), negated ? "DoesNotExist" : "Exists", {});
      return {};
    }
    if (token_ == "<" || token_ == ">")
      return expected("in, notin, = or != (label values are not compared as numbers)");
    if (take("in")) return read_set(std::move(key), "In");
    if (take("notin")) return read_set(std::move(key), "NotIn");
    const bool equal = token_ == "=" || token_ == "==";
    if (!equal && token_ != "!=") return expected("in, notin, = or !=");
    advance();
    TRY(std::string value, take_value());
    if (equal && !selector_.matchLabels.contains(key)) {
      selector_.matchLabels.emplace(std::move(key), std::move(value));
    } else {
      add(std::move(key), equal ? "In" : "NotIn", {std::move(value)});
    }
    return {};
  }

  Result<void> read_set(std::string key, std::string_view name) {
    if (!take("(")) return expected("(");
    std::vector<std::string> values;
    do {
      TRY(std::string value, take_value());
      values.push_back(std::move(value));
    } while (take(","));
    if (!take(")")) return expected("a comma or )");
    add(std::move(key), name, std::move(values));
    return {};
  }

  void add(std::string key, std::string_view name, std::vector<std::string> values) {
    selector_.matchExpressions.push_back({std::move(key), std::string(name), std::move(values)});
  }

  std::string_view text_;
  std::size_t begin_ = 0;   // of the token
  std::string_view token_;  // empty at the end
  LabelSelector selector_;
};

std::string text_of(const LabelRequirement& requirement) {
  if (requirement.operator_ == "Exists") return requirement.key;
  if (requirement.operator_ == "DoesNotExist") return "!" + requirement.key;
  return fmt::format("{} {} ({})",
                     requirement.key,
                     requirement.operator_ == "In" ? "in" : "notin",
                     fmt::join(requirement.values, ","));
}

}  // namespace

Result<LabelSelector> parse_label_selector(std::string_view text) {
  return TextReader(text).read();
}

std::string to_text(const LabelSelector& selector) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : selector.matchLabels) parts.push_back(key + "=" + value);
  for (const LabelRequirement& one : selector.matchExpressions) parts.push_back(text_of(one));
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace kube::inline api
