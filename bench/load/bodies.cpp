// SPDX-License-Identifier: Apache-2.0
#include "bodies.h"

#include <fmt/format.h>

namespace load {
namespace {

// A message as another scheduler writes it, with a typical length.
constexpr auto kFinalizer = "scheduler.load.example/finalizer";
constexpr auto kNodeAnnotation = "load.example/node";
constexpr auto kSomeLabel = "scheduler.load.example/jobid";

std::string node_name(const Plan& plan, std::int32_t number) {
  return fmt::format("k{:03}", number % plan.nodes + 1);
}

}  // namespace

std::string pod_name(const Plan& plan, std::int32_t number) {
  return fmt::format("{}{:05}", plan.prefix, number);
}

json::Object pod(const Plan& plan, std::int32_t number) {
  json::Object annotations;
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

json::Object label_patch(const Plan& plan, std::int32_t number) {
  const std::string label = plan.job_label.empty() ? kSomeLabel : plan.job_label;
  return {{"metadata",
           json::Object{{"labels", json::Object{{label, std::to_string(number + 1)}}},
                        {"finalizers", json::Array{kFinalizer}}}}};
}

json::Object binding(const Plan& plan, std::int32_t number) {
  const std::string node = node_name(plan, number);
  return {{"apiVersion", "v1"},
          {"kind", "Binding"},
          {"metadata",
           json::Object{{"name", pod_name(plan, number)},
                        {"annotations", json::Object{{kNodeAnnotation, node}}}}},
          {"target", json::Object{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}}}};
}

}  // namespace load
