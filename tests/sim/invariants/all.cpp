// SPDX-License-Identifier: Apache-2.0
#include "invariant.h"

namespace sim {

std::vector<std::unique_ptr<Invariant>> make_invariants() {
  std::vector<std::unique_ptr<Invariant>> all;
  all.push_back(one_job_per_pod());
  all.push_back(holds_while_its_job_does());
  all.push_back(nothing_deleted_on_doubt());
  all.push_back(every_ended_pod_frees());
  all.push_back(waiting_delays_nobody());
  all.push_back(drains_are_respected());
  all.push_back(nothing_is_lost());
  all.push_back(quiet_is_silent());
  all.push_back(foreign_is_untouched());
  all.push_back(refusals_are_told());
  all.push_back(bound_where_it_fits());
  all.push_back(disruptions_are_told());
  return all;
}

}  // namespace sim
