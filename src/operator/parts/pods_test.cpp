// SPDX-License-Identifier: Apache-2.0
// What all pods have in common.
#include "operator/parts/testing_kubelet.h"
#include "operator/parts/testing_pods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

namespace slurmop::parts {
namespace {

using testing::Contains;

std::vector<Cluster> clusters() {
  return {small_cluster(), full_cluster_with(false), full_cluster_with(true)};
}

// The kubelet replaces $(NAME) of variables and "$$" before bash sees the script.
TEST(Pods, scripts_reach_bash_unchanged) {
  for (const Cluster& cluster : clusters()) {
    for (const json::Value& container : containers_in(component_objects(cluster))) {
      std::map<std::string, std::string> variables;
      for (const std::string& name : names_in(at(container, {"env"}))) variables[name] = "changed";
      EXPECT_EQ(as_kubelet_expands(script_in(container), variables), script_in(container));
    }
  }
}

TEST(Pods, scripts_are_valid) {
  std::set<std::string> scripts;
  for (const Cluster& cluster : clusters()) {
    for (const json::Value& container : containers_in(component_objects(cluster))) {
      scripts.insert(script_in(container));
    }
  }
  scripts.erase("");
  EXPECT_EQ(scripts.size(), 10U) << "slurmctld, config-agent, keys, munge, sackd, homes, slurmd, "
                                    "sshd, slurmdbd, mariadb";
  for (const std::string& script : scripts) {
    std::FILE* shell = popen("bash -n", "w");
    ASSERT_NE(shell, nullptr);
    std::fwrite(script.data(), 1, script.size(), shell);
    EXPECT_EQ(pclose(shell), 0) << script;
  }
}

// Pod Security `baseline` allows these capabilities.
TEST(Pods, are_valid_under_baseline) {
  const std::set<std::string> allowed = {"AUDIT_WRITE",
                                         "CHOWN",
                                         "DAC_OVERRIDE",
                                         "FOWNER",
                                         "FSETID",
                                         "KILL",
                                         "MKNOD",
                                         "NET_BIND_SERVICE",
                                         "SETFCAP",
                                         "SETGID",
                                         "SETPCAP",
                                         "SETUID",
                                         "SYS_CHROOT"};
  for (const json::Value& container : containers_in(component_objects(small_cluster()))) {
    const json::Value security = at(container, {"securityContext"});
    EXPECT_EQ(at(security, {"capabilities", "drop"}).dump(), R"(["ALL"])");
    EXPECT_EQ(at(security, {"privileged"}), json::Value());
    EXPECT_EQ(at(security, {"seccompProfile", "type"}), json::Value("RuntimeDefault"));
    const json::Value added = at(security, {"capabilities", "add"});
    if (added.as_array() == nullptr) continue;
    for (const json::Value& one : *added.as_array()) {
      EXPECT_THAT(allowed, Contains(*one.as_string()));
    }
  }
}

TEST(Pods, every_mounted_volume_exists_once) {
  for (const Cluster& cluster : clusters()) {
    for (const json::Object& object : component_objects(cluster)) {
      const json::Value pod = pod_in(object);
      std::vector<std::string> volumes = names_in(at(pod, {"volumes"}));
      const json::Value templates = at(json::Value(object), {"spec", "volumeClaimTemplates"});
      if (templates.as_array() != nullptr) {
        for (const json::Value& one : *templates.as_array()) {
          volumes.push_back(*at(one, {"metadata", "name"}).as_string());
        }
      }
      EXPECT_EQ(std::set(volumes.begin(), volumes.end()).size(), volumes.size());
      for (const json::Value& container : containers_in({object})) {
        for (const std::string& name : names_in(at(container, {"volumeMounts"}))) {
          EXPECT_THAT(volumes, Contains(name)) << at(container, {"name"}).dump();
        }
      }
    }
  }
}

TEST(Pods, have_no_token_and_no_service_variables) {
  for (const Cluster& cluster : clusters()) {
    for (const json::Object& object : component_objects(cluster)) {
      const json::Value pod = pod_in(object);
      if (pod.is_null()) continue;
      EXPECT_EQ(at(pod, {"automountServiceAccountToken"}), json::Value(false));
      EXPECT_EQ(at(pod, {"enableServiceLinks"}), json::Value(false));
    }
  }
}

TEST(Pods, objects_of_a_cluster_belong_to_it) {
  for (const json::Object& object : component_objects(full_cluster_with(false))) {
    const json::Value labels = at(json::Value(object), {"metadata", "labels"});
    EXPECT_EQ(*labels.find("app.kubernetes.io/instance"), json::Value("demo"));
    EXPECT_EQ(*labels.find("app.kubernetes.io/managed-by"), json::Value("slurm-operator"));
    EXPECT_EQ(at(json::Value(object), {"metadata", "namespace"}), json::Value("hpc"));
  }
}

}  // namespace
}  // namespace slurmop::parts
