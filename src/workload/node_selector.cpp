// SPDX-License-Identifier: Apache-2.0
#include "workload/node_selector.h"

#include "base/integer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace workload {
namespace {

using kube::NodeSelectorRequirement;
using kube::NodeSelectorTerm;

// Compares as integers; a value that is not an integer does not match.
bool compares(const NodeSelectorRequirement& wanted, const std::string& value) {
  if (wanted.values.size() != 1) return false;
  const auto left = base::parse_integer<std::int64_t>(value);
  const auto right = base::parse_integer<std::int64_t>(wanted.values.front());
  if (!left.ok() || !right.ok()) return false;
  return wanted.operator_ == "Gt" ? *left > *right : *left < *right;
}

bool meets(const NodeSelectorRequirement& wanted, const std::string* value) {
  const auto listed = [&] {
    return value != nullptr && std::ranges::find(wanted.values, *value) != wanted.values.end();
  };
  const std::string& how = wanted.operator_;
  if (how == "In") return listed();
  if (how == "NotIn") return !listed();
  if (how == "Exists") return value != nullptr;
  if (how == "DoesNotExist") return value == nullptr;
  if (how == "Gt" || how == "Lt") return value != nullptr && compares(wanted, *value);
  return false;
}

bool meets_label(const NodeSelectorRequirement& wanted, const kube::Node& node) {
  const auto label = node.metadata.labels.find(wanted.key);
  return meets(wanted, label == node.metadata.labels.end() ? nullptr : &label->second);
}

bool meets_field(const NodeSelectorRequirement& wanted, const kube::Node& node) {
  return wanted.key == "metadata.name" && meets(wanted, &node.metadata.name);
}

bool matches(const NodeSelectorTerm& term, const kube::Node& node) {
  if (term.matchExpressions.empty() && term.matchFields.empty()) return false;
  return std::ranges::all_of(term.matchExpressions,
                             [&](const auto& wanted) { return meets_label(wanted, node); }) &&
         std::ranges::all_of(term.matchFields,
                             [&](const auto& wanted) { return meets_field(wanted, node); });
}

constexpr std::size_t kValuesShown = 8;
constexpr std::size_t kTermsShown = 4;

// "a,b,c", or the first few "and 497 more".
std::string to_text(const std::vector<std::string>& values) {
  std::string text = fmt::format("{}", fmt::join(values | std::views::take(kValuesShown), ","));
  if (values.size() > kValuesShown)
    text += fmt::format(" and {} more", values.size() - kValuesShown);
  return text;
}

std::string to_text(const NodeSelectorTerm& term) {
  std::vector<std::string> parts;
  for (const auto* list : {&term.matchExpressions, &term.matchFields}) {
    for (const NodeSelectorRequirement& wanted : *list) {
      parts.push_back(
          wanted.values.empty()
              ? fmt::format("{} {}", wanted.key, wanted.operator_)
              : fmt::format("{} {} [{}]", wanted.key, wanted.operator_, to_text(wanted.values)));
    }
  }
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, " and "));
}

}  // namespace

bool selects(const kube::NodeSelector& selector, const kube::Node& node) {
  return std::ranges::any_of(selector.nodeSelectorTerms,
                             [&](const NodeSelectorTerm& term) { return matches(term, node); });
}

std::string to_text(const kube::NodeSelector& selector) {
  const std::vector<NodeSelectorTerm>& all = selector.nodeSelectorTerms;
  std::vector<std::string> terms;
  for (const NodeSelectorTerm& term : all | std::views::take(kTermsShown))
    terms.push_back(to_text(term));
  if (all.size() > terms.size()) terms.push_back(fmt::format("{} more", all.size() - terms.size()));
  return terms.empty() ? "nothing" : fmt::format("{}", fmt::join(terms, ", or "));
}

}  // namespace workload
