// SPDX-License-Identifier: Apache-2.0
#pragma once

// For kubeconfig*.cpp only: it brings yaml-cpp in.
#include "base/result.h"
#include "kube/auth/config.h"

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>

namespace kube::inline auth {

// One map of a kubeconfig, with what its errors have to name: file and place.
class KubeconfigEntry {
 public:
  // An absent or null map is an empty one; anything else but a map is an error.
  static base::Result<KubeconfigEntry> make(std::string file,
                                            std::string place,
                                            const YAML::Node& node);

  // Each is empty (false) if the field is absent or null, and an error if it is of another type.
  base::Result<std::string> text(const std::string& field) const;
  base::Result<bool> flag(const std::string& field) const;
  // A file name, made relative to the kubeconfig's folder.
  base::Result<std::string> path(const std::string& field) const;
  // `field-data` holds it in base64, `field` names a file.
  base::Result<std::string> pem(const std::string& field) const;
  base::Result<KubeconfigEntry> map(const std::string& field) const;
  base::Result<std::vector<YAML::Node>> list(const std::string& field) const;

  bool has(const std::string& field) const;
  base::Result<void> must_be_absent(const std::string& field, std::string_view why) const;

  // "FILE: users[u].exec.command: what"
  base::Error wrong(const std::string& field, std::string_view what) const;
  // The path of a file that is named relative to this kubeconfig.
  std::string beside(const std::string& path) const;

 private:
  KubeconfigEntry(std::string file, std::string place, const YAML::Node& node)
      : file_(std::move(file)), place_(std::move(place)), node_(node) {}

  std::string file_;
  std::string place_;
  YAML::Node node_;
};

// `exec` of a user; the plugin may want to be told of the cluster.
base::Result<std::optional<ExecSpec>> read_exec(const KubeconfigEntry& user,
                                                const KubeconfigEntry& cluster,
                                                const ClusterConfig& config);

}  // namespace kube::inline auth
