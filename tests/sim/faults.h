// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "chance.h"
#include "net/http_wire/http.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

enum class System { kube, slurm };
std::string_view name(System system);

// The fault of one request.
enum class Fault {
  refused,          // no connection; nothing was sent
  lost_before,      // sent, but did not arrive; no answer
  lost_after,       // took effect; no answer
  half_answered,    // took effect; the answer is incomplete
  slow,             // request and answer take seconds: the effect may come after the deadline
  duplicated,       // arrives twice; only requests that a client may repeat
  busy,             // 429
  failed,           // 500 without effect
  bad_gateway,      // 502 without effect
  timed_out,        // 504, but it took effect
  timed_out_later,  // 504, and it takes effect seconds later
  bad_token,        // 511 or 401 without effect
  no_controller,    // slurmrestd waits for slurmctld, then 500, 502 or 504 without effect
  forbidden,        // 403 without effect: a missing permission, or a webhook that denies
};
inline constexpr int kFaults = 14;
inline constexpr int kAccidents = 13;  // all but forbidden, which is never drawn at random
std::string_view name(Fault fault);

// Delays and fault of one request.
struct Fate {
  base::Duration there{};
  base::Duration back{};
  std::optional<Fault> fault;
  base::Instant until = base::kNever;  // end of the outage that caused the fault
};

// Decides which requests have faults. Faults are armed for a number of requests or for a time.
class Faults {
 public:
  Faults(const base::Clock& clock, Chance& chance) : clock_(clock), chance_(chance) {}

  // `skip` requests to the system pass; the next `count` requests have the fault.
  void arm(System system, Fault fault, std::uint64_t skip, std::uint64_t count);
  // Until then all requests to the system have the fault, or those whose target contains `only`.
  void outage(System system, Fault fault, base::Instant until, std::string only = {});
  using Which = std::function<bool(const net::http::Request&)>;
  void outage_of(System system, Fault fault, base::Instant until, Which which);
  bool any_outage() const;
  void clear();
  // From now on each answer of the system takes this time. clear() does not reset it.
  void set_answer_time(System system, base::Duration time) {
    (system == System::slurm ? slurm_takes_ : kube_takes_) = time;
  }
  // From now on a proxy in front of Slurm refuses requests with a longer target.
  void refuse_longer_than(std::size_t target) { longest_target_ = target; }
  bool is_too_long(System system, const net::http::Request& request) const {
    return system == System::slurm && request.target.size() > longest_target_;
  }
  // When a request last had a fault.
  base::Instant last_hit() const { return last_hit_; }

  Fate decide(System system, const net::http::Request& request);
  // The number of requests by fault.
  const std::array<std::uint64_t, kFaults>& hits() const { return hits_; }

 private:
  struct Armed {
    System system;
    Fault fault;
    std::uint64_t skip;
    std::uint64_t count;
  };
  struct Outage {
    System system;
    Fault fault;
    base::Instant until;
    Which which;
  };

  void hit(System system, const net::http::Request& request, Fate& fate);

  const base::Clock& clock_;
  Chance& chance_;
  std::vector<Armed> armed_;
  std::vector<Outage> outages_;
  std::array<std::uint64_t, kFaults> hits_{};
  base::Instant last_hit_{};
  base::Duration kube_takes_{};
  base::Duration slurm_takes_{};
  std::size_t longest_target_ = SIZE_MAX;
};

}  // namespace sim
