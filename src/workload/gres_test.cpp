// SPDX-License-Identifier: Apache-2.0
#include "workload/gres.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace workload {
namespace {

base::Quantity n(std::int64_t count) {
  return base::Quantity::units(count);
}

TEST(Gres, IsOneEntryPerTypeAndNotTheLargestOnly) {
  struct Row {
    kube::ResourceList limits;
    std::string want;
  };
  const Row kRows[] = {
      {{}, ""},
      {{{"cpu", n(4)}, {"memory", n(1 << 30)}, {"example.com/fpga", n(1)}}, ""},
      {{{"nvidia.com/gpu", n(2)}}, "gres/gpu=2"},
      {{{"amd.com/gpu", n(3)}}, "gres/gpu=3"},
      {{{"nvidia.com/gpu", n(2)}, {"amd.com/gpu", n(3)}}, "gres/gpu=5"},
      {{{"nvidia.com/gpu", n(0)}}, ""},
      {{{"deviceclass.resource.kubernetes.io/gpu.nvidia.com", n(1)}}, "gres/gpu:gpu.nvidia.com=1"},
      {{{"deviceclass.resource.kubernetes.io/h100", n(1)},
        {"deviceclass.resource.kubernetes.io/a100", n(2)}},
       "gres/gpu:a100=2,gres/gpu:h100=1"},
      {{{"deviceclass.resource.kubernetes.io/dra.cpu", n(8)}}, ""},
      {{{"deviceclass.resource.kubernetes.io/dra.cpu", n(8)},
        {"deviceclass.resource.kubernetes.io/a100", n(1)}},
       "gres/gpu:a100=1"},
  };
  for (const Row& row : kRows) EXPECT_EQ(*gres_of(row.limits), row.want);
}

// slurmrestd 26.05 accepts "gres/gpu=2" and "gres/gpu:a100=1,gres/gpu:h100=1", and answers 422/2119
// to "gres/gpu=1,gres/gpu:h100=1".
TEST(Gres, WithAndWithoutATypeIsRefusedWithARemedy) {
  const auto gres = gres_of(
      {{"nvidia.com/gpu", n(1)}, {"deviceclass.resource.kubernetes.io/gpu.nvidia.com", n(1)}});
  ASSERT_FALSE(gres.ok());
  EXPECT_TRUE(gres.error().is(base::Kind::invalid));
  EXPECT_THAT(gres.error().message(), ::testing::HasSubstr("slurmjob.slinky.slurm.net/gres"));
}

TEST(Gres, ANameThatWouldChangeTheListIsRefused) {
  for (const char* name : {"", "a,b", "a=1", "a:b", "a b", "a\n"}) {
    const auto gres = gres_of({{std::string("deviceclass.resource.kubernetes.io/") + name, n(1)}});
    EXPECT_FALSE(gres.ok()) << name;
  }
}

}  // namespace
}  // namespace workload
