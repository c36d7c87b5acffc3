// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/image.h"

#include <gtest/gtest.h>

namespace slurmop::settle {
namespace {

struct Row {
  std::string_view repository;
  std::string_view tag;
  std::string_view fallback;
  std::string_view want;
};

constexpr std::string_view kDigest =
    "r/slurm@sha256:0123456789012345678901234567890123456789012345678901234567890123";

TEST(Image, parts_that_are_left_out_come_from_the_operators_image) {
  const Row kRows[] = {
      {"", "", "localhost/slurm:26.05", "localhost/slurm:26.05"},
      {"r.example.com/slurmd", "5.0", "localhost/slurm:26.05", "r.example.com/slurmd:5.0"},
      {"r.example.com/slurmd", "", "localhost/slurm:26.05", "r.example.com/slurmd:26.05"},
      {"", "dev", "localhost/slurm:26.05", "localhost/slurm:dev"},
      {"", "dev", "localhost:5000/slurm", "localhost:5000/slurm:dev"},
      {"localhost:5000/slurmd", "", "slurm:26.05", "localhost:5000/slurmd:26.05"},
      {"r/slurmd:1", "2", "slurm:26.05", "r/slurmd:1"},
      {kDigest, "", "slurm:26.05", kDigest},
      {"r/slurmd", "", kDigest, "r/slurmd"},
      {"r/slurmd", "", "slurm", "r/slurmd"},
  };
  for (const Row& row : kRows) {
    const api::ImageReference reference{.repository = std::string(row.repository),
                                        .tag = std::string(row.tag)};
    EXPECT_EQ(image_of(reference, row.fallback), row.want)
        << row.repository << " " << row.tag << " " << row.fallback;
  }
}

}  // namespace
}  // namespace slurmop::settle
