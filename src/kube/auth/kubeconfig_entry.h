// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only for kubeconfig*.cpp: it includes yaml-cpp.
#include "base/result.h"
#include "kube/auth/config.h"

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>

namespace kube::inline auth {

// One map of a kubeconfig, with the file and path for its errors.
class KubeconfigEntry {
 public:
  // An absent or null map is empty; anything else that is not a map is an error.
  static base::Result<KubeconfigEntry> make(std::string file,
                                            std::string place,
                                            const YAML::Node& node);

  // Each returns empty (false) if the field is absent or null, and an error if it has another type.
  base::Result<std::string> text(const std::string& field) const;
  base::Result<bool> flag(const std::string& field) const;
  // A file name, resolved against the folder of the kubeconfig.
  base::Result<std::string> path(const std::string& field) const;
  // `field-data` contains the text in base64, `field` the name of a file.
  base::Result<std::string> pem(const std::string& field) const;
  base::Result<KubeconfigEntry> map(const std::string& field) const;
  base::Result<std::vector<YAML::Node>> list(const std::string& field) const;

  bool has(const std::string& field) const;
  base::Result<void> must_be_absent(const std::string& field, std::string_view why) const;

  // "FILE: users[u].exec.command: what"
  base::Error wrong(const std::string& field, std::string_view what) const;
  // Resolves a file name against the folder of this kubeconfig.
  std::string beside(const std::string& path) const;

 private:
  KubeconfigEntry(std::string file, std::string place, const YAML::Node& node)
      : file_(std::move(file)), place_(std::move(place)), node_(node) {}

  std::string file_;
  std::string place_;
  YAML::Node node_;
};

// `exec` of a user; the plugin may require the cluster information.
base::Result<std::optional<ExecSpec>> read_exec(const KubeconfigEntry& user,
                                                const KubeconfigEntry& cluster,
                                                const ClusterConfig& config);

}  // namespace kube::inline auth
