// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/resource_list.h"
#include "operator/api/generated/node_set.h"
#include "operator/api/generated/slurm_cluster.h"
#include "operator/objects/pod.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slurmop::parts {

// What a resource may set for one container. Empty members leave the operator's own values.
struct ContainerSettings {
  std::string image = {};
  std::string pull_policy = {};
  std::vector<json::Value> pull_secrets = {};
  std::vector<std::string> command = {};
  std::vector<std::string> args = {};
  std::vector<json::Value> env = {};
  std::optional<std::int64_t> port = {};
  kube::ResourceList resources = {};
  json::Value readiness = {};
  json::Value liveness = {};
  std::string app_armor = {};
  std::string proc_mount = {};
};

ContainerSettings settings_of(const std::optional<api::Container>& given);
ContainerSettings settings_of(const std::optional<api::MariaDb>& given);
// Without the images: settle::WorkerSet has them.
ContainerSettings settings_of(const api::NodeSetSlurmd& given);
ContainerSettings settings_of(const std::optional<api::NodeSetContainer>& given);

// Completes a container with the settings of the resource.
//
// Expects     a container with the operator's own values.
// Guarantees  a given command replaces command and arguments; arguments without a command are added
//             to the operator's. An environment variable of the operator wins over a given one.
void use_settings(const ContainerSettings& settings,
                  objects::CpuLimit cpu,
                  objects::Container& container);

// A command that runs a constant bash script; arguments of the container are its "$1", "$2", ...
//
// Expects     a script without "$$" and without $(NAME) of an environment variable: the kubelet
//             would replace them.
std::vector<std::string> script(std::string_view text, std::string name);

// A text as an argument or as the value of an environment variable, so that the kubelet does not
// replace $(NAME) in it.
std::string literal(std::string_view text);

}  // namespace slurmop::parts
