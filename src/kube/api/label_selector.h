// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kube::inline api {

// One entry of matchExpressions.
struct LabelRequirement {
  std::string key;
  std::string operator_;  // In, NotIn, Exists or DoesNotExist
  std::vector<std::string> values;

  bool operator==(const LabelRequirement&) const = default;
};

// Selects objects by their labels: metav1.LabelSelector. All requirements must hold, so an empty
// selector matches every object. The meaning of an absent selector is defined by its owner.
struct LabelSelector {
  std::map<std::string, std::string> matchLabels;
  std::vector<LabelRequirement> matchExpressions;

  bool operator==(const LabelSelector&) const = default;
};

// Validates a selector. The error names the field, relative to the selector:
// matchExpressions[1].operator: ...
base::Result<void> check(const LabelSelector& selector);

// Expects     a selector that passed check(); a requirement with an unknown operator never holds.
bool matches(const LabelSelector& selector, const std::map<std::string, std::string>& labels);

// Validates a label key ("example.com/name") or value by the rules of Kubernetes. The error
// describes the problem but not the field.
base::Result<void> check_label_key(std::string_view key);
base::Result<void> check_label_value(std::string_view value);

}  // namespace kube::inline api
