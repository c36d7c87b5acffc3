// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/pod_volumes.h"

#include "operator/parts/testing_components.h"
#include "operator/parts/testing_pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

TEST(PodVolumes, a_name_of_the_operator_gets_a_prefix) {
  EXPECT_EQ(custom_volume_name("scratch"), "scratch");
  EXPECT_EQ(custom_volume_name("spool"), "custom-spool");
}

// A volume of the resource with such a name must not replace it.
TEST(PodVolumes, all_names_of_the_operator_are_known) {
  for (Cluster cluster : {small_cluster(), full_cluster(), full_cluster_with(true)}) {
    cluster.resource.spec.slurmNodes.accounting.enabled = true;
    cluster.resource.spec.slurmNodes.login.volumes.customMounts = {};
    cluster.resource.spec.slurmNodes.controller.volumes.customMounts = {};
    for (settle::WorkerSet& set : cluster.worker_sets) {
      set.spec.slurmd.volumes.customVolumeMounts = {};
    }
    Objects objects = component_objects(cluster);
    append(controller(cluster), objects);
    append(rest(cluster), objects);
    for (const json::Object& object : objects) {
      for (const std::string& name : names_in(at(pod_in(object), {"volumes"}))) {
        EXPECT_EQ(custom_volume_name(name), "custom-" + name);
      }
    }
  }
}

TEST(PodVolumes, an_unknown_source_is_empty) {
  EXPECT_TRUE(volume_source(small_cluster(), "nosuch").is_null());
}

}  // namespace
}  // namespace slurmop::parts
