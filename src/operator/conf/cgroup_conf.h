// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/custom_config.h"
#include "operator/conf/file.h"

namespace slurmop::conf {

enum class CgroupVersion { v1, v2 };

struct CgroupConf {
  ProcessTracking tracking = ProcessTracking::linuxproc;
  CgroupVersion version = CgroupVersion::v2;  // of the hosts; matters with ProcessTracking::cgroup
  CustomConfig custom = {};                   // from check_custom_cgroup_config
};

// Renders cgroup.conf. Without cgroup tracking it disables the plugin, so that slurmd needs no
// access to the host's cgroups.
base::Result<File> render_cgroup_conf(const CgroupConf& input);

}  // namespace slurmop::conf
