// SPDX-License-Identifier: Apache-2.0
#include "models/kube/label_parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace models::kube {
namespace {

constexpr std::string_view kSigns = "()=!,<>";
constexpr std::string_view kSpaces = " \t\r\n";

}  // namespace

void LabelParser::advance() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpaces), rest_.size()));
  std::size_t length = 0;
  if (rest_.starts_with("==") || rest_.starts_with("!=")) {
    length = 2;
  } else if (!rest_.empty() && kSigns.contains(rest_.front())) {
    length = 1;
  } else {
    length = std::min({rest_.find_first_of(kSigns), rest_.find_first_of(kSpaces), rest_.size()});
  }
  token_ = rest_.substr(0, length);
  rest_.remove_prefix(length);
}

bool LabelParser::at_sign() const {
  return !token_.empty() && kSigns.contains(token_.front());
}

bool LabelParser::take(std::string_view sign) {
  if (token_ != sign) return false;
  advance();
  return true;
}

base::Error LabelParser::found(std::string_view expected, bool inside) const {
  return base::Error(base::Kind::invalid,
                     fmt::format("{}found '{}', expected: {}",
                                 inside ? "unable to parse requirement: " : "",
                                 token_,
                                 expected));
}

base::Result<std::vector<Selector::Requirement>> LabelParser::parse() {
  std::vector<Requirement> all;
  while (!at_end()) {
    if (at_sign() && token_ != "!") return found("!, identifier, or 'end of string'", false);
    TRY(Requirement one, requirement());
    all.push_back(std::move(one));
    if (at_end()) break;
    if (!take(",")) return found("',' or 'end of string'", false);
    if (at_end() || (at_sign() && token_ != "!")) return found("identifier after ','", false);
  }
  return all;
}

base::Result<Selector::Requirement> LabelParser::requirement() {
  const bool negated = take("!");
  if (at_end() || at_sign()) return found("identifier");
  std::string key(token_);
  advance();
  if (negated) return Requirement{std::move(key), Operator::absent};
  if (at_end() || token_ == ",") return Requirement{std::move(key), Operator::exists};
  return comparison(std::move(key));
}

base::Result<Selector::Requirement> LabelParser::comparison(std::string key) {
  Requirement wanted{std::move(key)};
  const bool is_set = token_ == "in" || token_ == "notin";
  if (token_ == "in" || token_ == "=" || token_ == "==") {
    wanted.op = Operator::in;
  } else if (token_ == "notin" || token_ == "!=") {
    wanted.op = Operator::not_in;
  } else if (token_ == ">" || token_ == "<") {
    wanted.op = token_ == ">" ? Operator::greater : Operator::less;
  } else {
    return found("in, notin, =, ==, !=, gt, lt");
  }
  advance();
  if (is_set) {
    TRY(wanted.values, set_of_values());
    return wanted;
  }
  if (at_sign() && token_ != ",") return found("identifier");
  if (at_end() || token_ == ",") {
    wanted.values.emplace_back();  // "x=" selects the empty value
    return wanted;
  }
  wanted.values.emplace_back(token_);
  advance();
  return wanted;
}

base::Result<std::vector<std::string>> LabelParser::set_of_values() {
  if (!take("(")) return found("'('");
  std::vector<std::string> values;
  while (!take(")")) {
    if (at_end() || (at_sign() && token_ != ",")) return found("',', or identifier");
    if (take(",")) {
      if (values.empty() || token_ == "," || token_ == ")") values.emplace_back();
      continue;
    }
    values.emplace_back(token_);
    advance();
  }
  if (values.empty()) values.emplace_back();
  return values;
}

}  // namespace models::kube
