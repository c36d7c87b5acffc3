// SPDX-License-Identifier: Apache-2.0
#include "operator/api/generated/field_table.h"
#include "operator/api/generated/node_set.h"
#include "operator/api/validate.h"
#include "operator/api/validate_fields.h"

#include <fmt/format.h>

namespace slurmop::api {

namespace {

constexpr std::int64_t kMostUnavailable = 500;

void check_names(const NodeSet& set, Findings& findings) {
  const std::string& name = set.metadata.name;
  check_name(name, findings);
  if (name == "all") {
    findings.errors.push_back(
        {"metadata.name", "Slurm reads 'all' as every node; choose another name"});
  }
  if (name.size() + set.spec.clusterName.size() > kLongestNames) {
    findings.errors.push_back(
        {"metadata.name",
         fmt::format("the Service {}-nodeset-{}-svc would be longer than 63 characters; use at "
                     "most {} characters for clusterName and name together",
                     set.spec.clusterName,
                     name,
                     kLongestNames)});
  }
}

void check_unavailable(const NodeSetSpec& spec, Findings& findings) {
  const IntOrPercent& most = spec.maxUnavailable;
  if (most.amount < 0 || (most.percent && most.amount > 100)) {
    findings.errors.push_back(
        {"spec.maxUnavailable", "write a number from 0 to 500 or a percentage such as 20%"});
  } else if (most.of(spec.replicas) > kMostUnavailable) {
    findings.errors.push_back({"spec.maxUnavailable",
                               "it resolves to more than 500 workers; write a smaller percentage "
                               "or a number up to 500"});
  }
}

}  // namespace

Findings validate_node_set(const json::Value& object) {
  Findings findings;
  check_fields(object, node_set_fields(), findings);
  if (const auto set = decoded<NodeSet>(object, findings)) {
    check_names(*set, findings);
    check_unavailable(set->spec, findings);
  }
  return findings;
}

}  // namespace slurmop::api
