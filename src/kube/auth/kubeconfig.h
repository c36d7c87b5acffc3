// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/auth/config.h"

#include <string>
#include <string_view>
#include <vector>

// Reads kubeconfig files as kubectl does. Errors are Kind::invalid and name the file, the field and
// the fix.
namespace kube::inline auth {

struct KubeconfigFile {
  std::string path;  // file names in it are relative to its folder
  std::string text;
};

// Returns the current context of several files: the first file that sets current-context, and for
// each name the first file that has an entry of that name, are used; entries are not merged.
base::Result<ClusterConfig> parse_kubeconfig(const std::vector<KubeconfigFile>& files);

// Reads one file, or several joined by ':' as in KUBECONFIG. Of several, missing files are skipped;
// a single file must exist.
base::Result<ClusterConfig> load_kubeconfig(std::string_view paths);

}  // namespace kube::inline auth
