// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/submitted_pod.h"

namespace bridge::admission {
namespace {

bool has_elements(const json::Node& spec, std::string_view key) {
  bool any = false;
  if (const auto list = spec.find(key))
    list->each_element([&](json::Node) { return !(any = true); });
  return any;
}

}  // namespace

base::Result<SubmittedPod> read_pod(const json::Node& object) {
  const auto spec = object.find("spec");
  if (!spec) return base::Error(base::Kind::invalid, "$.spec is missing");
  SubmittedPod read;
  TRY(read.pod, kube::decode_object<kube::Pod>(object));
  read.topology_spread = has_elements(*spec, "topologySpreadConstraints");
  return read;
}

std::string_view scheduler_of(const json::Node& object) {
  const auto spec = object.find("spec");
  const auto name = spec ? spec->find("schedulerName") : std::nullopt;
  return name ? name->as_string().value_or("") : "";
}

}  // namespace bridge::admission
