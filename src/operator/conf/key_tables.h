// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/conf/key_spec.h"

#include <span>

// The keys of Slurm 26.05, each with its form and its owner. slurm_keys() is complete: every name
// in the library of 26.05.5 was given to its parser, and the accepted ones are here. The tests give
// each key to the real parser again (tests/real/slurm_conf_test.py).
namespace slurmop::conf {

// Keys of slurm.conf that stand on a line of their own, and the keys that begin a longer line.
std::span<const KeySpec> slurm_keys();
// Keys that follow PartitionName.
std::span<const KeySpec> partition_keys();
// Keys that follow NodeName, or stand in slurmd's option --conf.
std::span<const KeySpec> node_keys();
// Keys that follow NodeSet.
std::span<const KeySpec> node_set_keys();
std::span<const KeySpec> cgroup_keys();
std::span<const KeySpec> slurmdbd_keys();
// Keys of a line in gres.conf.
std::span<const KeySpec> gres_keys();

}  // namespace slurmop::conf
