// SPDX-License-Identifier: Apache-2.0
// Found in our own code, not in the reference. After a start, pods could be bound before the
// foreign pods on the nodes were known, if that list was late.
#include "small_world.h"

namespace issues {
namespace {

TEST(Own001, OthersOnTheNodesAreCountedBeforeAnyPodIsBoundWhicheverListIsLate) {
  constexpr std::uint64_t kRequestsOfAStart = 12;
  for (std::uint64_t late = 0; late < kRequestsOfAStart; ++late) {
    SmallWorld small(0s);
    for (int node = 0; node < 6; ++node) small.create_foreign(fmt::format("n{}", node), "8");
    small.create("ours");
    small.world.faults().arm(sim::System::kube, sim::Fault::lost_before, late, 1);
    small.pass(20s);
    EXPECT_FALSE(small.bound("ours")) << "request " << late << " of the start was late";
  }
}

}  // namespace
}  // namespace issues
