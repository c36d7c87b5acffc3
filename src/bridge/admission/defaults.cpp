// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/defaults.h"

#include "bridge/marks/toleration.h"
#include "json/patch.h"

namespace bridge::admission {
namespace {

// The API server's default for an absent schedulerName.
constexpr std::string_view kDefaultScheduler = "default-scheduler";

bool has_chosen_another(const kube::Pod& pod, const std::string& scheduler_name) {
  const std::string& chosen = pod.spec.schedulerName;
  return !chosen.empty() && chosen != kDefaultScheduler && chosen != scheduler_name;
}

void add_toleration(json::JsonPatch& patch, const kube::Pod& pod, const std::string& name) {
  const kube::Toleration ours = marks::our_toleration(name);
  if (marks::has(pod.spec.tolerations, ours)) return;
  if (pod.spec.tolerations.empty()) {
    patch.add(json::pointer_text({"spec", "tolerations"}),
              json::Array{marks::toleration_json(ours)});
  } else {
    patch.add(json::pointer_text({"spec", "tolerations", "-"}), marks::toleration_json(ours));
  }
}

}  // namespace

json::Array defaults_for(const kube::Pod& pod, const std::string& scheduler_name) {
  json::JsonPatch patch;
  if (pod.bound()) patch.remove(json::pointer_text({"spec", "nodeName"}));
  if (!has_chosen_another(pod, scheduler_name)) {
    if (pod.spec.schedulerName != scheduler_name)
      patch.add(json::pointer_text({"spec", "schedulerName"}), scheduler_name);
    add_toleration(patch, pod, scheduler_name);
  }
  return std::move(patch).operations();
}

}  // namespace bridge::admission
