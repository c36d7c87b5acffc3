// SPDX-License-Identifier: Apache-2.0
// The simulation of the operator: the real operator against models of Kubernetes and Slurm, on
// virtual time.
//
//   operator-sim --count 500               seeds 1 to 500
//   operator-sim --from 1000 --count 500
//   operator-sim --seed 17                 one seed, with its timeline
#include "base/integer.h"
#include "history.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

struct Arguments {
  std::uint64_t from = 1;
  std::uint64_t count = 100;
  std::uint64_t stop_after = 20;  // failed histories
  unsigned threads = std::thread::hardware_concurrency();
  bool timeline = false;
};

// Exits with a message if the arguments are wrong.
Arguments read(int argc, char** argv) {
  Arguments read;
  std::map<std::string_view, std::uint64_t> values;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--whole" || name == "--table") continue;  // as the bridge's simulation takes them
    const auto value = i + 1 < argc ? base::parse_integer<std::uint64_t>(argv[++i])
                                    : base::Result<std::uint64_t>(0);
    if (!value.ok() || !name.starts_with("--")) {
      fmt::print(stderr, "usage: operator-sim [--seed N | --from N --count N] [--threads N]\n");
      std::exit(2);
    }
    values[name] = *value;
  }
  if (values.contains("--from")) read.from = values["--from"];
  if (values.contains("--count")) read.count = values["--count"];
  if (values.contains("--stop-after")) read.stop_after = values["--stop-after"];
  if (values.contains("--threads")) read.threads = static_cast<unsigned>(values["--threads"]);
  if (values.contains("--seed")) {
    read.from = values["--seed"];
    read.count = 1;
    read.timeline = true;
  }
  return read;
}

class Run {
 public:
  explicit Run(Arguments arguments) : arguments_(arguments), next_(arguments.from) {}

  int run() {
    const auto began = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1U, arguments_.threads); ++i)
      threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    fmt::print("{} histories, {} failed, {} writes of the operator, {:.0f} s\n",
               done_.load(),
               failed_.load(),
               writes_.load(),
               took.count());
    return failed_ == 0 ? 0 : 1;
  }

 private:
  void work() {
    for (;;) {
      const std::uint64_t seed = next_++;
      if (seed >= arguments_.from + arguments_.count || failed_ >= arguments_.stop_after) return;
      report(seed, opsim::run_history(seed));
    }
  }

  void report(std::uint64_t seed, const opsim::Outcome& outcome) {
    ++done_;
    writes_ += outcome.operator_writes;
    const std::lock_guard lock(printing_);
    if (arguments_.timeline)
      for (const std::string& line : outcome.timeline) fmt::print("{}\n", line);
    if (outcome.breaches.empty()) return;
    ++failed_;
    const std::string& first = outcome.breaches.front();
    fmt::print("seed {} breaks {} ({})\n",
               seed,
               first.substr(0, first.find(':')),
               first.substr(first.find(':') + 2));
    (void)std::fflush(stdout);
  }

  Arguments arguments_;
  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint64_t> failed_ = 0;
  std::atomic<std::uint64_t> writes_ = 0;
  std::mutex printing_;
};

}  // namespace

int main(int argc, char** argv) {
  return Run(read(argc, argv)).run();
}
