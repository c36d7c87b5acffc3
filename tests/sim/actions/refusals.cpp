// SPDX-License-Identifier: Apache-2.0
#include "actions.h"
#include "world.h"

#include <fmt/format.h>

#include <ranges>
#include <set>
#include <utility>

// Pods whose requests Slurm refuses, or accepts and never starts (reference/slurm.md 4;
// tests/e2e/t0170_refusals.py checks the same on a real Slurm).
namespace sim {
namespace {

// Slurm refuses these requests in any state of the cluster.
struct Refused {
  std::string_view wishes;  // "annotation=value", separated by blanks
  int number;               // Slurm's error number
};
constexpr Refused kRefused[] = {{"partition=nowhere", 2000},
                                {"account=alchemy", 2045},
                                {"qos=platinum", 2066},
                                {"gres=gres/unicorn:1", 2072},
                                {"gres=GPU:1", 2115},
                                {"constraints=quantum", 2029},
                                {"licenses=matlab:1", 2048},
                                {"reservation=yours", 2053},
                                {"reservation=next-week user-id=bob", 2052},
                                {"user-id=nobody-here", 2166},
                                {"group-id=nobody-here", 2164},
                                {"gres=gres/gpu:64", 2014},
                                {"cpu-per-task=64", 2014},
                                {"mem-per-node=9Ti", 2014}};

// Slurm accepts these requests and never starts the job, or refuses them if it enforces the limits
// of partitions.
struct Never {
  std::string_view wishes;
  std::string_view reason;  // of the waiting job
  int number;               // error number; 0: always accepted
};
constexpr Never kNever[] = {{"partition=short timelimit=60", "PartitionTimeLimit", 2051},
                            {"min-nodes=100 max-nodes=100", "PartitionNodeLimit", 2006},
                            {"partition=closed user-id=alice", "AccountNotAllowed", 2003},
                            {"reservation=next-week user-id=alice", "Reservation", 0}};

std::vector<std::pair<std::string, std::string>> split(std::string_view wishes) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto part : std::views::split(wishes, ' ')) {
    const std::string_view wish(part);
    const std::size_t equals = wish.find('=');
    all.emplace_back(wish.substr(0, equals), wish.substr(equals + 1));
  }
  return all;
}

std::string create(World& world,
                   const Draw& draw,
                   std::string_view wishes,
                   const std::string& outcome) {
  std::string annotations = outcome;
  for (const auto& [name, value] : split(wishes))
    annotations += fmt::format(R"(,"slurmjob.slinky.slurm.net/{}":"{}")", name, value);
  return create_pod(world, draw, {.name = "refused", .annotations = annotations, .ends = false});
}

std::string refusal(int number) {
  return fmt::format(R"("slurm-bridge.dev/refused":"{}")", number);
}

std::string create_refused(World& world, const Draw& draw) {
  const Refused& one = kRefused[draw[3] % std::size(kRefused)];
  return create(world, draw, one.wishes, refusal(one.number));
}

std::string create_never(World& world, const Draw& draw) {
  const Never& one = kNever[draw[3] % std::size(kNever)];
  if (world.plan().enforces && one.number != 0)
    return create(world, draw, one.wishes, refusal(one.number));
  return create(
      world, draw, one.wishes, fmt::format(R"("slurm-bridge.dev/waits":"{}")", one.reason));
}

// The user removes the annotations that Slurm refuses.
std::string correct(World& world, const Draw& draw) {
  std::vector<const PodTruth*> refused;
  for (const auto& [uid, pod] : world.pods()) {
    if (!pod.refused_as.empty()) refused.push_back(&pod);
  }
  if (refused.empty()) return "";
  const PodTruth& pod = *refused[draw[0] % refused.size()];
  std::set<std::string> names;
  for (const Refused& one : kRefused) {
    for (const auto& [name, value] : split(one.wishes)) names.insert(name);
  }
  for (const Never& one : kNever) {
    for (const auto& [name, value] : split(one.wishes)) names.insert(name);
  }
  std::string nothing = R"("slurm-bridge.dev/refused":null)";
  for (const std::string& name : names)
    nothing += fmt::format(R"(,"slurmjob.slinky.slurm.net/{}":null)", name);
  net::http::Request request("PATCH",
                             fmt::format("/api/v1/namespaces/{}/pods/{}", pod.ns, pod.name),
                             fmt::format(R"({{"metadata":{{"annotations":{{{}}}}}}})", nothing));
  request.headers.emplace_back("Content-Type", "application/merge-patch+json");
  std::string text = fmt::format("corrects pod {}", pod.full_name());
  (void)world.as_user(std::move(request));
  return text;
}

}  // namespace

std::vector<Action> refusal_actions() {
  return {{"create a pod that Slurm refuses", 8, false, create_refused},
          {"create a pod that Slurm never starts", 5, false, create_never},
          {"correct a refused pod", 4, false, correct}};
}

}  // namespace sim
