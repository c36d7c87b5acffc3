// SPDX-License-Identifier: Apache-2.0
#include "slurm/mirror/state.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slurm::inline mirror {
namespace {

using base::Error;
using base::Instant;
using base::Kind;
using std::chrono::milliseconds;

MirrorOptions options() {
  MirrorOptions options;
  options.backoff.jitter = base::Jitter::none;
  return options;
}

// In every order of events, the bounds hold, time does not go back, and in the end the mirror is
// complete.
RC_GTEST_PROP(MirrorStateProperty, HoldsItsBoundsInEveryHistory, ()) {
  MirrorState state(
      options(), [] { return 0U; }, [](std::string_view comment) { return comment == "mine"; });
  Instant now{};
  std::vector<std::function<void(bool ok)>> answers;  // of the calls in flight
  std::size_t states = 0;
  std::size_t lists = 0;
  std::size_t resources = 0;
  std::size_t identities = 0;
  std::size_t claims = 0;
  const std::vector<JobStatus> all{{.id = JobId(1), .state = JobState::running},
                                   {.id = JobId(2), .state = JobState::pending},
                                   {.id = JobId(3), .state = JobState::running},
                                   {.id = JobId(4), .state = JobState::cancelled}};

  const auto step = [&] {
    const auto calls = state.next(now);
    if (calls.states) {
      RC_ASSERT(++states == 1U);
      answers.push_back([&, call = *calls.states](bool ok) {
        --states;
        state.answered_states(call, ok ? MirrorState::States(all) : Error(Kind::lost, ""), now);
      });
    }
    if (calls.all_states) {
      RC_ASSERT(++lists == 1U);
      answers.push_back([&, call = *calls.all_states](bool ok) {
        --lists;
        state.answered_all_states(call, ok ? MirrorState::States(all) : Error(Kind::lost, ""), now);
      });
    }
    for (const auto& call : calls.placements) {
      RC_ASSERT(++resources <= options().placements_at_once);
      answers.push_back([&, call](bool ok) {
        --resources;
        using Answer = base::Result<JobIdentity>;
        const JobIdentity one{call.id, JobState::running, "mine", "", {SlurmNodeName("k001")}};
        state.answered_placement(call, ok ? Answer(one) : Error(Kind::lost, ""), now);
      });
    }
    for (const auto& call : calls.identities) {
      RC_ASSERT(++identities <= options().identities_at_once);
      answers.push_back([&, call](bool ok) {
        --identities;
        using Answer = base::Result<JobIdentity>;
        const JobIdentity mine{call.id, JobState::pending, call.id == JobId(2) ? "mine" : ""};
        state.answered_identity(call, ok ? Answer(mine) : Error(Kind::lost, ""), now);
      });
    }
    for (const auto& call : calls.claims) {
      RC_ASSERT(++claims <= options().identities_at_once);
      answers.push_back([&, call](bool ok) {
        --claims;
        using Answer = base::Result<JobIdentity>;
        const JobIdentity mine{call.id, JobState::pending, call.id == JobId(2) ? "mine" : ""};
        state.answered_claim(call, ok ? Answer(mine) : Error(Kind::lost, ""), now);
      });
    }
    RC_ASSERT(calls.wake > now);
    return calls.wake;
  };

  Instant since = state.scanned_since();
  for (int n = *rc::gen::inRange(0, 200); n > 0; --n) {
    const JobId id(*rc::gen::inRange<std::uint32_t>(1, 6));
    switch (*rc::gen::inRange(0, 8)) {
      case 0: state.track(id); break;
      case 1: state.forget(id); break;
      case 2: state.submitted(id, "mine", now); break;
      case 3: state.hurry(now); break;
      case 4: state.request_scan(); break;
      case 5: now += milliseconds(*rc::gen::inRange(0, 3000)); break;
      default:
        if (!answers.empty()) {
          const auto which = *rc::gen::inRange<std::size_t>(0, answers.size());
          const auto answer = std::move(answers[which]);
          answers.erase(answers.begin() + static_cast<std::ptrdiff_t>(which));
          answer(*rc::gen::inRange(0, 4) != 0);
        }
    }
    step();
    RC_ASSERT(state.scanned_since() >= since);
    since = state.scanned_since();
  }

  // Slurm works from now on: everything settles with a complete mirror.
  state.track(JobId(1));
  state.request_scan();
  const Instant requested = now;
  for (int n = 0; n < 500; ++n) {
    const Instant wake = step();
    if (answers.empty()) {
      now = wake;
    } else {
      for (const auto& answer : std::exchange(answers, {})) answer(true);
    }
  }
  RC_ASSERT(state.scanned_since() >= requested);
}

}  // namespace
}  // namespace slurm::inline mirror
