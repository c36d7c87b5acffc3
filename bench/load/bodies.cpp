// SPDX-License-Identifier: Apache-2.0
#include "bodies.h"

#include "workload/wellknown.h"

#include <fmt/format.h>

namespace load {
namespace {

std::string node_name(const Plan& plan, std::int32_t number) {
  return fmt::format("k{:03}", number % plan.nodes + 1);
}

}  // namespace

std::string pod_name(const Plan& plan, std::int32_t number) {
  return fmt::format("{}{:05}", plan.prefix, number);
}

json::Object pod(const Plan& plan, std::int32_t number) {
  json::Object annotations{{workload::kJobAnnotationPrefix + "exclusive", "false"}};
  for (const std::string& one : plan.annotations) {
    const std::size_t sign = one.find('=');
    annotations.set(one.substr(0, sign), sign == std::string::npos ? "" : one.substr(sign + 1));
  }
  const json::Object requests{{"cpu", "100m"}, {"memory", "64Mi"}};
  const json::Object container{
      {"name", "main"}, {"image", "none"}, {"resources", json::Object{{"requests", requests}}}};
  json::Object spec{{"schedulerName", plan.scheduler},
                    {"terminationGracePeriodSeconds", 1},
                    {"containers", json::Array{container}}};
  if (plan.placed) spec.set("nodeName", node_name(plan, number));
  return {
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"metadata", json::Object{{"name", pod_name(plan, number)}, {"annotations", annotations}}},
      {"spec", spec}};
}

json::Object label_patch(std::int32_t number) {
  return {
      {"metadata",
       json::Object{{"labels", json::Object{{workload::kJobIdLabel, std::to_string(number + 1)}}},
                    {"finalizers", json::Array{workload::kFinalizer}}}}};
}

json::Object binding(const Plan& plan, std::int32_t number) {
  const std::string node = node_name(plan, number);
  return {{"apiVersion", "v1"},
          {"kind", "Binding"},
          {"metadata",
           json::Object{{"name", pod_name(plan, number)},
                        {"annotations", json::Object{{workload::kNodeAnnotation, node}}}}},
          {"target", json::Object{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}}}};
}

}  // namespace load
