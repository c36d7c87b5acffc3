// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/cgroup_conf.h"

#include "operator/conf/draft.h"
#include "operator/conf/key_tables.h"

namespace slurmop::conf {
namespace {

void set_constraints(Draft& draft, CgroupVersion version) {
  const bool v2 = version == CgroupVersion::v2;
  draft.set("CgroupPlugin", v2 ? "cgroup/v2" : "cgroup/v1");
  draft.set("CgroupMountpoint", "/sys/fs/cgroup");
  draft.set("ConstrainCores", "yes");
  draft.set("ConstrainDevices", "yes");
  draft.set("ConstrainRAMSpace", "yes");
  draft.set("ConstrainSwapSpace", v2 ? "no" : "yes");
  if (!v2) return;
  // A container has no systemd, and its cgroup has no controllers until they are enabled.
  draft.set("IgnoreSystemd", "yes");
  draft.set("EnableControllers", "yes");
}

}  // namespace

base::Result<File> render_cgroup_conf(const CgroupConf& input) {
  Draft draft(cgroup_keys());
  draft.use(input.custom);
  draft.comment("Written by slurm-operator; change the SlurmCluster resource instead");
  if (input.tracking == ProcessTracking::linuxproc)
    draft.set("CgroupPlugin", "disabled");
  else
    set_constraints(draft, input.version);
  if (!input.custom.lines.empty()) draft.comment("spec.customCgroupConfig");
  draft.custom_lines();
  return draft.finish("cgroup.conf");
}

}  // namespace slurmop::conf
