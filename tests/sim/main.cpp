// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"
#include "history.h"
#include "script.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

// Runs many histories and reports those that violate an invariant.
namespace sim {
namespace {

struct Wish {
  std::int64_t seed = 0;  // run only this seed and print its timeline
  std::int64_t from = 1;
  std::int64_t count = 1000;
  std::int64_t seconds = 0;  // instead of a count
  std::int64_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::int64_t stop_after = 3;  // failures
  bool until_stopped = false;
  bool whole = false;  // print the timeline of the original plan, not of the shrunk one
  bool table = false;
  std::string history;  // path of a written history
};

std::atomic<bool> asked_to_stop = false;

class Run {
 public:
  explicit Run(const Wish& wish) : wish_(wish), next_(wish.from) {}

  int go() {
    const auto began = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> workers;
      for (std::int64_t i = 0; i < wish_.threads; ++i)
        workers.emplace_back([this, began] { work(began); });
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (wish_.table) print_table();
    fmt::print(
        "{} histories, {} failed, {} requests, {:.0f} h of virtual time, {:.1f} s, {:.0f} "
        "histories/s\n",
        done_,
        failed_,
        requests_,
        virtual_seconds_ / 3600,
        took.count(),
        static_cast<double>(done_) / took.count());
    return failed_ == 0 ? 0 : 1;
  }

 private:
  bool enough(std::chrono::steady_clock::time_point began, std::int64_t seed) const {
    if (asked_to_stop || failed_ >= wish_.stop_after) return true;
    if (wish_.until_stopped) return false;
    if (wish_.seconds > 0)
      return std::chrono::steady_clock::now() - began > std::chrono::seconds(wish_.seconds);
    return seed >= wish_.from + wish_.count;
  }

  void work(std::chrono::steady_clock::time_point began) {
    for (;;) {
      const std::int64_t seed = next_++;
      if (enough(began, seed)) return;
      const Plan plan = make_plan(static_cast<std::uint64_t>(seed));
      const History history = live(plan);
      note(history);
      if (history.violation) failed(plan, *history.violation);
    }
  }

  void note(const History& history) {
    const std::lock_guard lock(mutex_);
    ++done_;
    requests_ += history.requests;
    virtual_seconds_ += std::chrono::duration<double>(history.ended.time_since_epoch()).count();
    for (const auto& [name, times] : history.steps) steps_[name] += times;
    for (int i = 0; i < kFaults; ++i) faults_[i] += history.faults[i];
  }

  void failed(const Plan& plan, const Violation& violation) {
    ++failed_;
    const std::string text =
        wish_.whole
            ? fmt::format(
                  "seed {} breaks {} ({})\n", plan.seed, violation.invariant, violation.what)
            : report(plan, shrink(plan, violation.invariant));
    const std::lock_guard lock(mutex_);
    fmt::print("{}replay: sim --seed {}\n\n", text, plan.seed);
    (void)std::fflush(stdout);
  }

  void print_table() const {
    for (const auto& [name, times] : steps_) fmt::print("{:>10}  {}\n", times, name);
    for (int i = 0; i < kFaults; ++i)
      fmt::print("{:>10}  request: {}\n", faults_[i], name(static_cast<Fault>(i)));
  }

  Wish wish_;
  std::atomic<std::int64_t> next_;
  std::atomic<std::int64_t> failed_ = 0;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::uint64_t requests_ = 0;
  double virtual_seconds_ = 0;
  std::map<std::string, std::uint64_t> steps_;
  std::array<std::uint64_t, kFaults> faults_{};
};

int replay(const Wish& wish) {
  const Plan plan = make_plan(static_cast<std::uint64_t>(wish.seed));
  const History history = live(plan, World::Record::yes);
  if (!history.violation || wish.whole) {
    for (const std::string& line : history.timeline) fmt::print("{}\n", line);
    fmt::print("seed {}: {}\n", wish.seed, history.violation ? "broken" : "all promises kept");
    return history.violation ? 1 : 0;
  }
  fmt::print("{}", report(plan, shrink(plan, history.violation->invariant)));
  return 1;
}

// Prints the file with the observed states under each step. Returns 0 if the file is unchanged.
int play_history(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto played = play(text);
  if (!played.ok()) {
    fmt::print(stderr, "sim: {}: {}\n", path, played.error().message());
    return 2;
  }
  fmt::print("{}", *played);
  return *played == text ? 0 : 1;
}

}  // namespace
}  // namespace sim

int main(int argc, char** argv) {
  sim::Wish wish;
  base::Flags flags("sim", "Lives seeded histories of the bridge against models of both systems.");
  flags.add("seed", &wish.seed, "replay this one: shrunk, as a timeline");
  flags.add("whole",
            &wish.whole,
            "not shrunk: with --seed the history as it was, else one line per broken promise");
  flags.add("from", &wish.from, "the first seed");
  flags.add("count", &wish.count, "how many seeds");
  flags.add("seconds", &wish.seconds, "as many as this time allows, instead of --count");
  flags.add("soak", &wish.until_stopped, "until stopped");
  flags.add("stop-after", &wish.stop_after, "so many broken ones");
  flags.add("threads", &wish.threads, "how many at a time");
  flags.add(
      "history", &wish.history, "play this file of tests/sim/histories, and print it as seen");
  flags.add("table", &wish.table, "say what was done and what broke, by kind");
  const auto outcome = flags.parse(argc, argv);
  if (!outcome.ok()) {
    fmt::print(stderr, "sim: {}\n", outcome.error().message());
    return 2;
  }
  if (outcome->help_asked) {
    fmt::print("{}", flags.help());
    return 0;
  }
  (void)std::signal(SIGINT, [](int) { sim::asked_to_stop = true; });
  (void)std::signal(SIGTERM, [](int) { sim::asked_to_stop = true; });
  if (!wish.history.empty()) return sim::play_history(wish.history);
  if (wish.seed != 0) return sim::replay(wish);
  return sim::Run(wish).go();
}
