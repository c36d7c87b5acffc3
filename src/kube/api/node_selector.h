// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kube::inline api {

struct NodeSelectorRequirement {
  std::string key;
  std::string operator_;  // In, NotIn, Exists, DoesNotExist, Gt, Lt
  std::vector<std::string> values;

  friend bool operator==(const NodeSelectorRequirement&, const NodeSelectorRequirement&) = default;
};

// All requirements must match; a term without requirements matches no node.
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> matchExpressions;  // on labels
  std::vector<NodeSelectorRequirement> matchFields;       // on metadata.name

  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

// At least one term must match.
struct NodeSelector {
  std::vector<NodeSelectorTerm> nodeSelectorTerms;

  friend bool operator==(const NodeSelector&, const NodeSelector&) = default;
};

}  // namespace kube::inline api
