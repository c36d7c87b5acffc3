// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace operator_app {

// The domain of the cluster's DNS, from the text of a pod's /etc/resolv.conf: its search list has an
// entry "svc.<domain>". "cluster.local" if there is none.
std::string cluster_domain_in(std::string_view resolv_conf);

}  // namespace operator_app
