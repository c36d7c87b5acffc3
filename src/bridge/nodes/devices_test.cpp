// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/devices.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace bridge::nodes {
namespace {

using Slices = std::vector<std::shared_ptr<const DeviceSlice>>;

// A slice as a driver publishes it; `devices` is its JSON list.
std::shared_ptr<const DeviceSlice> slice(const std::string& driver,
                                         const std::string& devices,
                                         int generation = 1,
                                         int count = 1) {
  json::Parser parser;
  const auto object =
      parser.parse(fmt::format(R"({{"metadata":{{"name":"x","uid":"u","resourceVersion":"1"}},)"
                               R"("spec":{{"driver":"{}","nodeName":"n1","pool":{{"name":"n1",)"
                               R"("generation":{},"resourceSliceCount":{}}},"devices":[{}]}}}})",
                               driver,
                               generation,
                               count,
                               devices));
  EXPECT_TRUE(object.ok()) << devices;
  auto decoded = kube::decode_object<DeviceSlice>(*object);
  EXPECT_TRUE(decoded.ok()) << decoded.error().message();
  return std::make_shared<const DeviceSlice>(*std::move(decoded));
}

std::string cpu(int id,
                int core,
                int socket,
                const std::string& type = R"({"string":"standard"})") {
  return fmt::format(R"({{"name":"cpudev{0:03}","attributes":{{"dra.cpu/cpuID":{{"int":{0}}},)"
                     R"("dra.cpu/coreID":{{"int":{1}}},"dra.cpu/socketID":{{"int":{2}}},)"
                     R"("dra.cpu/smtEnabled":{{"bool":true}},"dra.cpu/coreType":{3}}}}})",
                     id,
                     core,
                     socket,
                     type);
}

std::string example_gpu(int index, const std::string& key = "index") {
  return fmt::format(R"({{"name":"gpu-{0}","attributes":{{"{1}":{{"int":{0}}}}}}})", index, key);
}

std::string gres_of(const Slices& slices) {
  const auto found = devices_of(slices);
  return found.ok() ? found->gres + " " + found->gres_conf : found.error().message();
}

std::string cores_of(const Slices& slices) {
  const auto found = devices_of(slices);
  if (!found.ok()) return found.error().message();
  if (!found->cores) return "capacity";
  return fmt::format("{}x{}", found->cores->cores, found->cores->threads);
}

TEST(NodeDevices, GpusBecomeGresInTheOrderOfTheirNumbers) {
  EXPECT_EQ(gres_of({slice("gpu.nvidia.com", R"({"name":"gpu-10"},{"name":"gpu-2"})")}),
            "gpu:gpu.nvidia.com:2 count=2,name=gpu,type=gpu.nvidia.com,file=gpu-2,file=gpu-10");
  for (const char* key : {"index", "gpu.example.com/index"}) {
    EXPECT_EQ(gres_of({slice("gpu.example.com", example_gpu(1, key) + "," + example_gpu(0, key))}),
              "gpu:gpu.example.com:2 count=2,name=gpu,type=gpu.example.com,file=gpu-0,file=gpu-1");
  }
  EXPECT_EQ(gres_of({}), " ");
}

TEST(NodeDevices, WhatIsNotAWholeGpuOrOfAnotherDriverIsLeftOut) {
  EXPECT_EQ(gres_of({slice("gpu.nvidia.com",
                           R"({"name":"gpu-0"},{"name":"gpu-0-mig-1g.5gb"},{"name":"gpu-"},)"
                           R"({"name":"gpu--1"},{"name":"gpu-99999999999"},{"name":"x"})"),
                     slice("dra.net", R"({"name":"gpu-7","attributes":{"index":{"int":7}}})"),
                     slice("gpu.example.com", R"({"name":"gpu-5"})")}),
            "gpu:gpu.nvidia.com:1 count=1,name=gpu,type=gpu.nvidia.com,file=gpu-0");
}

TEST(NodeDevices, SeveralSlicesAndDriversAreTakenTogether) {
  const Slices slices{slice("gpu.nvidia.com", R"({"name":"gpu-1"})", 1, 2),
                      slice("gpu.nvidia.com", R"({"name":"gpu-0"})", 1, 2),
                      slice("gpu.example.com", example_gpu(0))};
  const std::string want =
      "gpu:gpu.example.com:1,gpu:gpu.nvidia.com:2 "
      "count=1,name=gpu,type=gpu.example.com,file=gpu-0+"
      "count=2,name=gpu,type=gpu.nvidia.com,file=gpu-0,file=gpu-1";
  EXPECT_EQ(gres_of(slices), want);
  EXPECT_EQ(gres_of({slices[2], slices[1], slices[0]}), want);
}

TEST(NodeDevices, OnlyTheNewestGenerationOfAPoolCountsAndOnlyAsAWhole) {
  const auto old = slice("gpu.nvidia.com", R"({"name":"gpu-0"})", 1, 1);
  const auto half = slice("gpu.nvidia.com", R"({"name":"gpu-1"})", 2, 2);
  const auto rest = slice("gpu.nvidia.com", R"({"name":"gpu-2"})", 2, 2);
  for (const Slices& slices : {Slices{old, half}, Slices{half, old}}) {
    const auto found = devices_of(slices);
    ASSERT_FALSE(found.ok());
    EXPECT_TRUE(found.error().is(base::Kind::unavailable));
    EXPECT_EQ(found.error().message(),
              "driver gpu.nvidia.com has published 1 of 2 ResourceSlices of its pool n1");
  }
  EXPECT_EQ(gres_of({rest, old, half}),
            "gpu:gpu.nvidia.com:2 count=2,name=gpu,type=gpu.nvidia.com,file=gpu-1,file=gpu-2");
}

TEST(NodeDevices, CpusThatAreHandedOutOneByOneSayHowManyCoresThereAre) {
  EXPECT_EQ(cores_of({}), "capacity");
  EXPECT_EQ(cores_of({slice("dra.cpu", cpu(0, 0, 0) + "," + cpu(1, 1, 0))}), "2x1");
  // Siblings of one core, whatever their numbers; the same core number on two sockets is two cores.
  EXPECT_EQ(
      cores_of({slice(
          "dra.cpu", cpu(0, 0, 0) + "," + cpu(4, 0, 0) + "," + cpu(1, 0, 1) + "," + cpu(5, 0, 1))}),
      "2x2");
  // Efficiency cores are omitted, however the driver writes the type.
  for (const char* type : {R"({"string":"e-core"})", R"({"int":3})"}) {
    EXPECT_EQ(
        cores_of({slice("dra.cpu", cpu(0, 0, 0) + "," + cpu(1, 0, 0) + "," + cpu(2, 1, 0, type))}),
        "1x2");
  }
  EXPECT_EQ(cores_of({slice("dra.cpu", cpu(0, 0, 0, R"({"string":"e-core"})"))}), "capacity");
  // Slurm rounds CPUs that are not a multiple of the cores: the rounded number is registered.
  EXPECT_EQ(cores_of({slice("dra.cpu", cpu(0, 0, 0) + "," + cpu(1, 0, 0) + "," + cpu(2, 1, 0))}),
            "2x1");
  // Two CPUs with one number.
  EXPECT_EQ(cores_of({slice("dra.cpu", cpu(0, 0, 0) + "," + cpu(0, 1, 0))}), "2x1");
  // A device with many CPUs does not show cores.
  EXPECT_EQ(
      cores_of({slice("dra.cpu",
                      R"({"name":"cpudevnuma0","attributes":{"dra.cpu/numCPUs":{"int":8}}})")}),
      "capacity");
}

TEST(NodeDevices, ADriverIsSilentIfNothingOfItIsLeft) {
  const std::string gpu = "count=1,name=gpu,type=gpu.nvidia.com,file=gpu-0";
  const std::string gpus = "count=2,name=gpu,type=gpu.nvidia.com,file=gpu-0,file=gpu-1";
  const std::string other = "count=1,name=gpu,type=gpu.example.com,file=gpu-0";
  const std::string cores = " cores=2,threads=2";
  EXPECT_TRUE(driver_is_silent(gpu, ""));
  EXPECT_TRUE(driver_is_silent(cores, ""));
  EXPECT_TRUE(driver_is_silent(gpu + cores, gpu));
  EXPECT_TRUE(driver_is_silent(gpu + cores, cores));
  EXPECT_TRUE(driver_is_silent(other + "+" + gpu, gpu));
  EXPECT_FALSE(driver_is_silent("", ""));
  EXPECT_FALSE(driver_is_silent("", gpu));
  EXPECT_FALSE(driver_is_silent(gpus, gpu)) << "it reports that one was removed";
}

RC_GTEST_PROP(NodeDevices, NoNameOfADeviceOpensAnotherPlaceInSlurmsLine, (const std::string& any)) {
  DeviceSlice one;
  const std::string text =
      json::Value(
          json::Object{
              {"metadata", json::Object{{"name", "x"}}},
              {"spec",
               json::Object{
                   {"driver", "gpu.example.com"},
                   {"pool", json::Object{{"generation", 1}, {"resourceSliceCount", 1}}},
                   {"devices",
                    json::Array{json::Object{
                        {"name", any},
                        {"attributes", json::Object{{"index", json::Object{{"int", 0}}}}}}}}}}})
          .dump();
  json::Parser parser;
  const auto object = parser.parse(text);
  if (!object.ok()) return;
  auto decoded = kube::decode_object<DeviceSlice>(*object);
  if (!decoded.ok()) return;
  const auto found = devices_of({std::make_shared<const DeviceSlice>(*std::move(decoded))});
  RC_ASSERT(found.ok());
  RC_ASSERT(std::ranges::count(found->gres_conf, '=') == (found->gres.empty() ? 0 : 4));
  RC_ASSERT(!found->gres_conf.contains('"') && !found->gres_conf.contains('\n'));
}

}  // namespace
}  // namespace bridge::nodes
