// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace sim {
namespace {

using namespace std::chrono_literals;

System any_system(std::uint64_t number) {
  return number % 2 == 0 ? System::kube : System::slurm;
}

std::string arm(World& world, const Draw& draw) {
  const System system = any_system(draw[0]);
  const auto fault = static_cast<Fault>(draw[1] % kAccidents);
  const std::uint64_t count = 1 + draw[3] % 4;
  world.faults().arm(system, fault, draw[2] % 12, count);
  return fmt::format("{}: {} requests will be: {}", name(system), count, name(fault));
}

std::string outage(World& world, const Draw& draw) {
  static constexpr Fault kWays[] = {Fault::refused,
                                    Fault::bad_gateway,
                                    Fault::failed,
                                    Fault::busy,
                                    Fault::lost_before,
                                    Fault::timed_out_later,
                                    Fault::bad_token,
                                    Fault::no_controller};
  const System system = any_system(draw[0]);
  const Fault fault = kWays[draw[1] % std::size(kWays)];
  const auto time = std::chrono::seconds(1 + draw[2] % 60);
  world.faults().outage(system, fault, world.now() + time);
  if (system == System::kube && fault != Fault::busy) world.network().cut_watches(false);
  return fmt::format("{} is away for {}: {}", name(system), time, name(fault));
}

std::string cut(World& world, const Draw& draw) {
  const bool in_good_order = draw[0] % 2 == 0;
  world.network().cut_watches(in_good_order);
  return in_good_order ? "all watches end" : "all watches break in the middle of a line";
}

std::string stall(World& world, const Draw&) {
  world.network().stall_watches();
  world.trouble(100s);  // until the processes detect the silence
  return "all watches go silent";
}

std::string stale(World& world, const Draw& draw) {
  const std::uint64_t count = 1 + draw[0] % 3;
  world.network().serve_stale_lists(count);
  return fmt::format("the next {} lists are answered as of now", count);
}

}  // namespace

std::vector<Action> network_actions() {
  return {{"requests go wrong", 70, true, arm},
          {"a system is away", 12, true, outage},
          {"watches end", 8, true, cut},
          {"watches go silent", 3, true, stall},
          {"stale lists", 4, true, stale}};
}

}  // namespace sim
