// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/pod.h"

#include "operator/objects/testing_shape.h"

#include <gtest/gtest.h>

namespace slurmop::objects {
namespace {

std::string text(const json::Object& object) {
  return json::Value(object).dump();
}

base::Quantity amount(std::string_view text) {
  return *base::Quantity::parse(text);
}

TEST(Env, a_value_is_literal) {
  EXPECT_EQ(text(env("A", "$(B) $C $$")), R"({"name":"A","value":"$$(B) $$C $$$$"})");
}

TEST(Env, an_empty_value_is_left_out_as_the_server_does) {
  EXPECT_EQ(text(env("A", "b")), R"({"name":"A","value":"b"})");
  EXPECT_EQ(text(env("A", "")), R"({"name":"A"})");
  EXPECT_EQ(text(env_from_secret("A", "s", "k")),
            R"({"name":"A","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}})");
  EXPECT_EQ(text(env_from_field("A", "metadata.name")),
            R"({"name":"A","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}})");
}

TEST(Volumes, have_one_source_each) {
  EXPECT_EQ(text(empty_dir("a")), R"({"name":"a","emptyDir":{}})");
  EXPECT_EQ(text(memory_dir("a", "1Gi")),
            R"({"name":"a","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}})");
  EXPECT_EQ(text(secret_volume("a", "s")),
            R"({"name":"a","secret":{"secretName":"s","defaultMode":256}})");
  EXPECT_EQ(text(config_volume("a", "c")), R"({"name":"a","configMap":{"name":"c"}})");
  EXPECT_EQ(text(claim_volume("a", "c")),
            R"({"name":"a","persistentVolumeClaim":{"claimName":"c"}})");
}

TEST(Volumes, a_given_source_cannot_replace_the_name) {
  EXPECT_EQ(text(source_volume("a", *json::parse(R"({"hostPath":{"path":"/x"},"name":"b"})"))),
            R"({"name":"a","hostPath":{"path":"/x"}})");
  EXPECT_EQ(text(source_volume("a", json::Value("text"))), R"({"name":"a"})");
}

TEST(Mounts, are_writable_unless_they_are_read_only) {
  EXPECT_EQ(text(mount({.volume = "v", .path = "/p"})), R"({"name":"v","mountPath":"/p"})");
  EXPECT_EQ(text(mount({.volume = "v", .path = "/p", .read_only = true, .sub_path = "s"})),
            R"({"name":"v","mountPath":"/p","subPath":"s","readOnly":true})");
}

TEST(Resources, limits_are_the_requests_except_for_cpu) {
  const kube::ResourceList list{{"cpu", amount("1000m")}, {"memory", amount("1024Mi")}};
  EXPECT_EQ(text(resources(list, CpuLimit::none)),
            R"({"requests":{"cpu":"1","memory":"1Gi"},"limits":{"memory":"1Gi"}})");
  EXPECT_EQ(text(resources(list, CpuLimit::as_requested)),
            R"({"requests":{"cpu":"1","memory":"1Gi"},"limits":{"cpu":"1","memory":"1Gi"}})");
  EXPECT_EQ(text(resources({{"cpu", amount("1")}}, CpuLimit::none)), R"({"requests":{"cpu":"1"}})");
  EXPECT_EQ(text(resources({}, CpuLimit::as_requested)), "{}");
}

TEST(Security, only_a_container_with_added_capabilities_may_gain_privileges) {
  EXPECT_EQ(text(unprivileged({})),
            R"({"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]},)"
            R"("seccompProfile":{"type":"RuntimeDefault"}})");
  EXPECT_EQ(text(unprivileged({"CHOWN"})),
            R"({"capabilities":{"drop":["ALL"],"add":["CHOWN"]},)"
            R"("seccompProfile":{"type":"RuntimeDefault"}})");
}

TEST(Probes, wait_three_seconds_for_an_answer) {
  EXPECT_EQ(text(http_probe("/readyz", 6817, 2)),
            R"({"httpGet":{"path":"/readyz","port":6817},"periodSeconds":2,"timeoutSeconds":3})");
  EXPECT_EQ(text(tcp_probe(22, 5)),
            R"({"tcpSocket":{"port":22},"periodSeconds":5,"timeoutSeconds":3})");
  EXPECT_EQ(text(exec_probe({"test", "-S", "x"}, 1)),
            R"({"exec":{"command":["test","-S","x"]},"periodSeconds":1,"timeoutSeconds":3})");
}

TEST(Container, members_that_are_empty_are_left_out) {
  EXPECT_EQ(text(container({.name = "a", .image = "i", .pull_policy = ""})),
            R"({"name":"a","image":"i"})");
}

TEST(Container, has_all_members) {
  const Container all{.name = "a",
                      .image = "i",
                      .pull_policy = "Always",
                      .command = {"bash", "-ec"},
                      .args = {"exec x"},
                      .env = {env("A", "1")},
                      .ports = {{"http", 80}},
                      .resources = resources({{"cpu", amount("1")}}, CpuLimit::none),
                      .security = unprivileged({}),
                      .readiness = tcp_probe(80, 2),
                      .liveness = tcp_probe(81, 2),
                      .startup = tcp_probe(82, 2),
                      .mounts = {{.volume = "v", .path = "/p"}},
                      .sidecar = true};
  const json::Object object = container(all);
  EXPECT_EQ(object.size(), 14U);
  EXPECT_EQ(*object.find("restartPolicy"), json::Value("Always"));
  EXPECT_EQ(object.find("startupProbe")->dump(),
            R"({"tcpSocket":{"port":82},"periodSeconds":2,"timeoutSeconds":3})");
  EXPECT_EQ(object.find("ports")->dump(), R"([{"name":"http","containerPort":80}])");
}

TEST(Container, keyed_lists_have_every_key_once) {
  const json::Object object =
      container({.name = "a",
                 .image = "i",
                 .pull_policy = "",
                 .env = {env("A", "1"), env("B", "2"), env("A", "3")},
                 .mounts = {{.volume = "v", .path = "/p"}, {.volume = "w", .path = "/p"}}});
  EXPECT_EQ(object.find("env")->dump(), R"([{"name":"B","value":"2"},{"name":"A","value":"3"}])");
  EXPECT_EQ(object.find("volumeMounts")->dump(), R"([{"name":"w","mountPath":"/p"}])");
}

TEST(PodSpec, never_has_a_token_or_the_variables_of_services) {
  EXPECT_EQ(text(pod_spec({.service_account = ""})),
            R"({"automountServiceAccountToken":false,"enableServiceLinks":false,)"
            R"("terminationGracePeriodSeconds":30})");
}

PodSpec full(const std::string& any) {
  return {.init_containers = {container({.name = any, .image = any, .pull_policy = any})},
          .containers = {container({.name = any,
                                    .image = any,
                                    .pull_policy = any,
                                    .command = {any},
                                    .args = {any},
                                    .env = {env("A", any), env_from_secret("B", any, any)},
                                    .mounts = {{.volume = any, .path = any, .sub_path = any}}})},
          .volumes = {empty_dir(any),
                      secret_volume("a" + any, any),
                      config_volume("b" + any, any),
                      claim_volume("c" + any, any),
                      memory_dir("d" + any, any)},
          .service_account = any,
          .hostname = any,
          .subdomain = any,
          .affinity = json::Object{{"nodeAffinity", any}},
          .node_selector = {{"n", any}},
          .tolerations = {json::Object{{"key", any}}},
          .priority_class = any,
          .host_users = false,
          .pull_secrets = {json::Object{{"name", any}}},
          .dns_searches = {any},
          .grace_seconds = 5,
          .security = {{"runAsUser", 1}},
          .restart_policy = any};
}

TEST(PodSpec, has_all_members) {
  const json::Object spec = pod_spec(full("x"));
  EXPECT_EQ(spec.size(), 18U);
  EXPECT_EQ(*spec.find("hostUsers"), json::Value(false));
  EXPECT_EQ(spec.find("dnsConfig")->dump(), R"({"searches":["x"]})");
  EXPECT_EQ(*spec.find("terminationGracePeriodSeconds"), json::Value(5));
}

TEST(PodSpec, no_text_changes_the_structure) {
  const json::Value plain = reread(pod_spec(full("plain")));
  for (const std::string& hostile : hostile_texts()) {
    EXPECT_TRUE(same_shape(reread(pod_spec(full(hostile))), plain)) << hostile;
  }
}

}  // namespace
}  // namespace slurmop::objects
