// SPDX-License-Identifier: Apache-2.0
#include "faults.h"

#include <algorithm>

namespace sim {

using namespace std::chrono_literals;

std::string_view name(System system) {
  return system == System::kube ? "API server" : "Slurm";
}

std::string_view name(Fault fault) {
  switch (fault) {
    case Fault::refused: return "connection refused";
    case Fault::lost_before: return "lost on the way there";
    case Fault::lost_after: return "took effect, answer lost";
    case Fault::half_answered: return "took effect, half an answer";
    case Fault::slow: return "slow";
    case Fault::duplicated: return "arrived twice";
    case Fault::busy: return "429";
    case Fault::failed: return "500";
    case Fault::bad_gateway: return "502";
    case Fault::timed_out: return "504 although it took effect";
    case Fault::timed_out_later: return "504, takes effect later";
    case Fault::bad_token: return "token refused";
    case Fault::no_controller: return "slurmrestd waits for slurmctld in vain";
    case Fault::forbidden: return "403";
  }
  return "";
}

void Faults::arm(System system, Fault fault, std::uint64_t skip, std::uint64_t count) {
  armed_.push_back({system, fault, skip, count});
}

void Faults::outage(System system, Fault fault, base::Instant until, std::string only) {
  outage_of(system, fault, until, [only = std::move(only)](const net::http::Request& request) {
    return request.target.contains(only);
  });
}

void Faults::outage_of(System system, Fault fault, base::Instant until, Which which) {
  outages_.push_back({system, fault, until, std::move(which)});
}

bool Faults::any_outage() const {
  return std::ranges::any_of(outages_, [&](const Outage& one) { return clock_.now() < one.until; });
}

void Faults::clear() {
  armed_.clear();
  outages_.clear();
}

void Faults::hit(System system, const net::http::Request& request, Fate& fate) {
  for (const Outage& outage : outages_) {
    const bool meant = outage.system == system && outage.which(request);
    if (!meant || clock_.now() >= outage.until) continue;
    fate.fault = outage.fault;
    fate.until = outage.until;
    return;
  }
  for (Armed& armed : armed_) {
    if (armed.system != system || armed.count == 0) continue;
    if (armed.skip > 0) {
      --armed.skip;
      continue;
    }
    --armed.count;
    fate.fault = armed.fault;
    return;
  }
}

Fate Faults::decide(System system, const net::http::Request& request) {
  Fate fate;
  fate.there = chance_.between(200us, 3ms);
  fate.back = chance_.between(200us, 3ms);
  if (const base::Duration time = system == System::slurm ? slurm_takes_ : kube_takes_; time > 0s) {
    fate.there = chance_.between(1ms, time - 1ms);  // time until it takes effect
    fate.back = time - fate.there;
  }
  hit(system, request, fate);
  if (fate.fault == Fault::no_controller && system == System::kube) fate.fault = Fault::bad_gateway;
  if (fate.fault == Fault::duplicated && !request.repeatable) fate.fault = Fault::lost_after;
  if (fate.fault == Fault::slow) {
    fate.there = chance_.between(500ms, 20s);
    fate.back = chance_.between(500ms, 20s);
  }
  if (fate.fault) {
    ++hits_[static_cast<std::size_t>(*fate.fault)];
    last_hit_ = clock_.now();
  }
  return fate;
}

}  // namespace sim
