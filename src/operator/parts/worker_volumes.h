// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "operator/objects/pod.h"
#include "operator/settle/cluster.h"

#include <string>
#include <vector>

// Volumes of the worker pods: spool, /dev/shm and those that the NodeSet names. Keys, users and home
// are in key_files.h and home_folders.h.
namespace slurmop::parts {

// `pod` is the name of the pod, of which the names of its claims derive ("<pod>-<volume>").
void add_worker_volumes(const settle::WorkerSet& set, const std::string& pod, json::Array& volumes);
std::vector<objects::Mount> worker_mounts(const settle::WorkerSet& set);

}  // namespace slurmop::parts
