// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "kube/auth/config.h"

#include <string>
#include <string_view>
#include <vector>

// Reads kubeconfig files as kubectl does. Errors are Kind::invalid and name the file, the field and
// what to do.
namespace kube::inline auth {

struct KubeconfigFile {
  std::string path;  // file names in it are relative to its folder
  std::string text;
};

// The current context of several files as one: the first file that sets current-context, and the
// first that has an entry of a name, win as a whole.
base::Result<ClusterConfig> parse_kubeconfig(const std::vector<KubeconfigFile>& files);

// One file, or several joined by ':' as in KUBECONFIG. Of several, those that do not exist are
// skipped; one alone has to be there.
base::Result<ClusterConfig> load_kubeconfig(std::string_view paths);

}  // namespace kube::inline auth
