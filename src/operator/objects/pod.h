// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "kube/api/resource_list.h"
#include "operator/objects/labels.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Builders for the parts of a pod.
namespace slurmop::objects {

// The value is literal: kubelet does not replace $(NAME) in it.
json::Object env(std::string name, std::string_view value);
json::Object env_from_secret(std::string name, std::string secret, std::string key);
json::Object env_from_field(std::string name, std::string field_path);

// Volumes. A size limit is a quantity as the server prints it.
json::Object empty_dir(std::string name);
json::Object memory_dir(std::string name, std::string size_limit);
json::Object secret_volume(std::string name, std::string secret);      // mode 0400
json::Object config_volume(std::string name, std::string config_map);  // whole folder, updates
json::Object claim_volume(std::string name, std::string claim);
// A volume source as in a pod ({"hostPath": {...}}), with a name.
json::Object source_volume(std::string name, const json::Value& source);

struct Mount {
  std::string volume;
  std::string path;
  bool read_only = false;
  std::string sub_path = {};
};
json::Object mount(const Mount& mount);

// Which resources a container is limited to.
enum class CpuLimit { none, as_requested };
// {"requests": ..., "limits": ...}: limits are the requests, without CPU unless as_requested. Empty
// input gives an empty object.
json::Object resources(const kube::ResourceList& requests, CpuLimit cpu);

// {"capabilities": {"drop": ["ALL"], "add": [...]}, "allowPrivilegeEscalation": false unless
// capabilities are added, "seccompProfile": RuntimeDefault}, valid under Pod Security `baseline`.
json::Object unprivileged(const std::vector<std::string>& added_capabilities);

// The timeout of a probe is 3 s: a loaded node needs more than the default of 1 s.
json::Object http_probe(std::string path, std::int64_t port, std::int64_t period_seconds);
json::Object tcp_probe(std::int64_t port, std::int64_t period_seconds);
json::Object exec_probe(std::vector<std::string> command, std::int64_t period_seconds);

// A container of a component. Members that are empty are left out. A later entry of `env` replaces an
// earlier one of the same name, and a later mount an earlier one of the same path: the server refuses
// to apply a list with the same key twice.
struct Container {
  std::string name;
  std::string image;
  std::string pull_policy;
  std::vector<std::string> command = {};
  std::vector<std::string> args = {};
  json::Array env = {};
  std::map<std::string, std::int64_t> ports = {};  // name -> containerPort
  json::Object resources = {};
  json::Object security = {};
  json::Value readiness = {};
  json::Value liveness = {};
  json::Value startup = {};
  std::vector<Mount> mounts = {};
  bool sidecar = false;  // an init container with restartPolicy Always
};
json::Object container(const Container& container);

struct PodSpec {
  json::Array init_containers = {};
  json::Array containers = {};
  json::Array volumes = {};
  std::string service_account;
  std::string hostname = {};
  std::string subdomain = {};
  json::Value affinity = {};
  std::map<std::string, std::string> node_selector = {};
  json::Array tolerations = {};
  std::string priority_class = {};
  std::optional<bool> host_users = {};
  json::Array pull_secrets = {};
  std::vector<std::string> dns_searches = {};
  std::int64_t grace_seconds = 30;
  json::Object security = {};       // of the pod
  std::string restart_policy = {};  // empty: Always
};
// enableServiceLinks and automountServiceAccountToken are false.
json::Object pod_spec(const PodSpec& spec);

}  // namespace slurmop::objects
