// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/api/generated/common.h"
#include "operator/objects/labels.h"
#include "operator/objects/pod.h"
#include "operator/settle/cluster.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Volumes that a resource gives to the pods of a StatefulSet.
namespace slurmop::parts {

struct PodVolumes {
  objects::Labels claim_labels;  // of the component
  json::Array volumes = {};
  json::Array claim_templates = {};  // of the StatefulSet
  std::vector<objects::Mount> mounts = {};
};

// The content of an entry of spec.volumeSources; null if there is none of this name, which
// validation refuses.
json::Value volume_source(const settle::Cluster& cluster, std::string_view name);

// Adds a volume of the component, from a named source or as a claim of each pod.
void add_volume(const settle::Cluster& cluster,
                const api::NodeVolume& given,
                const objects::Mount& mount,
                PodVolumes& volumes);
// Adds the additional mounts of a component.
void add_custom_mounts(const settle::Cluster& cluster,
                       const std::vector<api::VolumeMount>& given,
                       PodVolumes& volumes);

// The name of a volume that the resource names: it differs from the operator's own volumes.
std::string custom_volume_name(std::string_view name);

}  // namespace slurmop::parts
