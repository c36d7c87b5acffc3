// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/container_settings.h"

#include "operator/objects/testing_shape.h"
#include "operator/parts/testing_kubelet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::parts {
namespace {

using testing::ElementsAre;

objects::Container own() {
  return {.name = "a",
          .image = "own",
          .pull_policy = "IfNotPresent",
          .command = script("exec a \"$@\"", "a"),
          .args = {"--own"},
          .env = {objects::env("A", "own")},
          .readiness = objects::tcp_probe(1, 2)};
}

TEST(ContainerSettings, absent_ones_change_nothing) {
  objects::Container container = own();
  use_settings(settings_of(std::optional<api::Container>()), objects::CpuLimit::none, container);
  EXPECT_EQ(objects::container(container), objects::container(own()));
}

TEST(ContainerSettings, arguments_are_added) {
  objects::Container container = own();
  use_settings({.args = {"-v"}}, objects::CpuLimit::none, container);
  EXPECT_THAT(container.args, ElementsAre("--own", "-v"));
}

TEST(ContainerSettings, a_command_replaces_command_and_arguments) {
  objects::Container container = own();
  use_settings({.command = {"b"}}, objects::CpuLimit::none, container);
  EXPECT_THAT(container.command, ElementsAre("b"));
  EXPECT_TRUE(container.args.empty());
}

TEST(ContainerSettings, a_variable_of_the_operator_wins) {
  objects::Container container = own();
  use_settings({.env = {objects::env("A", "given"), objects::env("B", "given")}},
               objects::CpuLimit::none,
               container);
  EXPECT_EQ(objects::container(container).find("env")->dump(),
            R"([{"name":"B","value":"given"},{"name":"A","value":"own"}])");
}

TEST(ContainerSettings, name_an_app_armor_profile) {
  const auto profile = [](std::string text) {
    objects::Container container = own();
    use_settings({.app_armor = std::move(text)}, objects::CpuLimit::none, container);
    return container.security.find("appArmorProfile")->dump();
  };
  EXPECT_EQ(profile("unconfined"), R"({"type":"Unconfined"})");
  EXPECT_EQ(profile("runtime/default"), R"({"type":"RuntimeDefault"})");
  EXPECT_EQ(profile("localhost/a"), R"({"type":"Localhost","localhostProfile":"a"})");
  EXPECT_EQ(profile("a"), R"({"type":"Localhost","localhostProfile":"a"})");
}

TEST(ContainerSettings, limits_follow_the_requests) {
  objects::Container container = own();
  use_settings({.resources = {{"cpu", base::Quantity::units(2)}}},
               objects::CpuLimit::as_requested,
               container);
  EXPECT_EQ(json::Value(container.resources).dump(),
            R"({"requests":{"cpu":"2"},"limits":{"cpu":"2"}})");
}

TEST(Literal, is_what_the_program_gets) {
  std::vector<std::string> texts = objects::hostile_texts();
  texts.insert(texts.end(), {"$", "$$", "$$(A)", "$(A)", "a$", "$(", "$$$(A)b", "$(A", ""});
  for (const std::string& text : texts) {
    EXPECT_EQ(as_kubelet_expands(literal(text), {{"A", "secret"}, {"VAR", "secret"}}), text);
  }
  EXPECT_EQ(as_kubelet_expands("$(A)", {{"A", "secret"}}), "secret") << "the model of the kubelet";
}

}  // namespace
}  // namespace slurmop::parts
