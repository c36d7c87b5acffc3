// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "operator/conf/custom_config.h"
#include "operator/conf/draft.h"
#include "operator/conf/file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slurmop::conf {

enum class AuthMode { slurm, munge };

// One slurmctld: its host name and the address by which other pods reach it.
struct ControllerHost {
  std::string name;
  std::string address;
};

// All nodes that register with this feature.
struct NodeGroup {
  std::string name;
  std::string feature;
};

struct Partition {
  std::string name;
  std::vector<std::string> node_sets;  // empty: all nodes
  bool is_default = false;
  std::string options = {};  // the rest of the line, checked by check_partition_options
};

// slurmdbd, as slurmctld reaches it.
struct AccountingClient {
  std::string host;
  std::uint16_t port = 6819;
};

// In seconds. The defaults are Slurm's, except where a pod needs more time than a machine.
struct Timeouts {
  std::uint32_t slurmctld = 120;
  std::uint32_t slurmd = 180;
  std::uint32_t message = 30;
  std::uint32_t tcp = 5;
  std::uint32_t kill_wait = 30;
};

// Programs that Slurm starts; absolute paths in the image of the daemon that runs them.
struct Programs {
  std::vector<std::string> prolog = {};
  std::vector<std::string> epilog = {};
  std::vector<std::string> prolog_slurmctld = {};
  std::vector<std::string> epilog_slurmctld = {};
};

struct HealthCheck {
  std::string program;
  std::uint32_t interval_seconds = 0;
  std::vector<std::string> node_states;
};

// Folders and files; they must match the volumes of the pods.
struct Places {
  std::string state = "/var/spool/slurmctld";
  std::string slurmd_spool = "/var/spool/slurmd";
  std::string slurmctld_pid = "/run/slurmctld/slurmctld.pid";
  std::string slurmd_pid = "/run/slurmd.pid";
  std::string jwt_key = "/etc/slurm-keys/jwt.key";
  std::string munge_socket = {};    // empty: munge's default
  std::string plugstack_conf = {};  // empty: no plugins
};

// Everything that determines slurm.conf.
struct SlurmConf {
  std::string cluster_name;
  std::vector<ControllerHost> controllers;
  std::uint16_t slurmctld_port = 6817;
  std::uint16_t slurmd_port = 6818;
  std::string slurm_user = "slurm";
  AuthMode auth = AuthMode::slurm;
  ProcessTracking tracking = ProcessTracking::linuxproc;
  Places places = {};
  Timeouts timeouts = {};
  Programs programs = {};
  std::optional<HealthCheck> health_check = {};
  std::optional<AccountingClient> accounting = {};
  bool has_gpus = false;
  std::uint32_t most_nodes = 1024;  // MaxNodeCount: dynamic nodes are refused beyond it
  std::vector<NodeGroup> node_sets = {};
  std::vector<Partition> partitions = {};
  CustomConfig partition_lines = {};  // from check_partition_lines; after `partitions`
  std::vector<std::string> slurmctld_parameters = {};  // in addition to enable_configless
  std::vector<Setting> settings = {};                  // from fields of the resource
  CustomConfig custom = {};                            // from check_custom_slurm_config
};

// What the custom configuration of this cluster is checked against.
Surrounding surrounding_of(const SlurmConf& input);

// Renders slurm.conf.
//
// Expects     custom lines that check_custom_slurm_config accepted for surrounding_of(input).
// Guarantees  equal input, equal bytes; a string of the input appears only as a checked value.
//             Nodes are dynamic: no NodeName line. ReturnToService is 1, see the design.
// Does not    check that files exist in the image, nor that Slurm accepts the combination.
base::Result<File> render_slurm_conf(const SlurmConf& input);

// Renders the slurm.conf of a client that is not configless, such as slurmrestd: where slurmctld and
// slurmdbd are, and how to authenticate with a JWT. Settings, partitions and custom lines are left
// out, so no change of them concerns the client.
base::Result<File> render_client_conf(const SlurmConf& input);

}  // namespace slurmop::conf
