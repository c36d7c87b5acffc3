// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kube::inline api {

// One line of a selector's matchExpressions.
struct LabelRequirement {
  std::string key;
  std::string operator_;  // In, NotIn, Exists or DoesNotExist
  std::vector<std::string> values;

  bool operator==(const LabelRequirement&) const = default;
};

// Which objects somebody means, by their labels: metav1.LabelSelector. All of it must hold, so an
// empty one means every object; that there is no selector at all is for its owner to say.
struct LabelSelector {
  std::map<std::string, std::string> matchLabels;
  std::vector<LabelRequirement> matchExpressions;

  bool operator==(const LabelSelector&) const = default;
};

// Whether a selector can mean anything. The error names the field, seen from the selector:
// matchExpressions[1].operator: ...
base::Result<void> check(const LabelSelector& selector);

// Expects     a selector that passed check(); an operator that nobody knows holds for nothing.
bool matches(const LabelSelector& selector, const std::map<std::string, std::string>& labels);

// What Kubernetes takes for a label's key ("example.com/name") and for its value. The error says
// what is wrong with it and does not name where it stands.
base::Result<void> check_label_key(std::string_view key);
base::Result<void> check_label_value(std::string_view value);

}  // namespace kube::inline api
