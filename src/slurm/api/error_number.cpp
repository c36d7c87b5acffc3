// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/error_number.h"

#include <algorithm>

namespace slurm::inline api {
namespace {

using base::Kind;

struct Row {
  int number = 0;
  Meaning meaning;
};

// Numbers that the ranges below would classify wrongly, or for which the field to change is known.
// Sorted.
constexpr Row kRows[] = {
    {1007,
     {Kind::unauthorized,
      "the Slurm token (it is expired, signed with another key or of an unknown user); create one "
      "with: scontrol token "
      "username=slurm"}},
    {1804, {Kind::too_many, ""}},  // slurmctld's rate limit
    {1805, {Kind::too_many, ""}},
    {2000, {Kind::refused, "the partition"}},
    {2001, {Kind::refused, "the partition (Slurm has no default one)"}},
    {2002, {Kind::forbidden, "the Slurm token: the token of SlurmUser is needed"}},
    {2003, {Kind::refused, "the partition (it is not open to this user's groups)"}},
    {2004, {Kind::refused, "the partition or the required nodes"}},
    {2005, {Kind::refused, "the number of CPUs"}},
    {2006, {Kind::refused, "the number of nodes"}},
    {2007, {Kind::unavailable, ""}},  // MaxJobCount reached
    {2010, {Kind::refused, "the user (the Slurm token may not submit for this user)"}},
    {2012, {Kind::refused, "a text that is too long"}},
    {2013, {Kind::unavailable, ""}},  // not the top priority: only for immediate jobs
    {2014, {Kind::refused, "the CPUs, memory, GPUs or constraints: no node has all of this"}},
    {2015, {Kind::refused, "the partition, the number of nodes or the time limit"}},
    {2016, {Kind::unavailable, ""}},  // nodes are busy
    {2017, {Kind::not_found, ""}},
    {2018, {Kind::refused, "the required or excluded nodes: Slurm does not know one of them"}},
    {2019, {Kind::unavailable, ""}},  // slurmctld could not write its state
    {2020, {Kind::unavailable, ""}},  // in transition
    {2021, {Kind::conflict, ""}},     // already done
    {2027, {Kind::unavailable, ""}},  // the controller is in standby
    {2029, {Kind::refused, "the constraints (features)"}},
    {2037, {Kind::unavailable, ""}},  // presently disabled
    {2038, {Kind::refused, "the dependency"}},
    {2040, {Kind::unavailable, ""}},  // licences in use
    {2044, {Kind::refused, "the memory"}},
    {2045, {Kind::refused, "the account (is the user associated with it? see sacctmgr)"}},
    {2048, {Kind::refused, "the licences"}},
    {2050,
     {Kind::unavailable, "nothing, or request less: a limit of the account or QOS is reached"}},
    {2051, {Kind::refused, "the time limit"}},
    {2052, {Kind::refused, "the reservation (it is not open to this user or account)"}},
    {2053, {Kind::refused, "the reservation"}},
    {2055, {Kind::unavailable, ""}},  // reservation busy
    {2056, {Kind::unavailable, ""}},  // reservation not usable now
    {2057, {Kind::refused, "the wckey"}},
    {2059, {Kind::unavailable, ""}},  // ports busy
    {2066, {Kind::refused, "the QOS"}},
    {2068, {Kind::unavailable, ""}},  // a required node is not available now
    {2069, {Kind::refused, "the number of CPUs"}},
    {2070, {Kind::unavailable, ""}},  // partition not available now
    {2072, {Kind::refused, "the GPUs or other generic resources (gres)"}},
    {2074, {Kind::unavailable, ""}},  // below the QOS's usage threshold
    {2078, {Kind::unavailable, ""}},  // cannot start at once
    {2081, {Kind::refused, "the job array"}},
    {2083, {Kind::conflict, ""}},     // has started
    {2084, {Kind::conflict, ""}},     // has finished
    {2085, {Kind::conflict, ""}},     // is not running
    {2090, {Kind::unavailable, ""}},  // internal error of slurmctld
    {2099, {Kind::refused, "the MCS label"}},
    {2100, {Kind::unavailable, ""}},  // burst buffer not ready
    {2101, {Kind::unavailable, ""}},  // partition down
    {2105, {Kind::unavailable, ""}},  // submissions disabled by the administrator
    {2113, {Kind::refused, "the group"}},
    {2115, {Kind::refused, "the TRES"}},
    {2118, {Kind::unavailable, ""}},  // maintenance reservation
    {2119, {Kind::refused, "the type of the GPUs or other generic resources (gres)"}},
    {2120, {Kind::unavailable, ""}},  // nodes are rebooting
    {2125, {Kind::unavailable, ""}},  // scheduling deferred: no immediate start
    {2130, {Kind::refused, "the account or the partition: the account may not use the partition"}},
    {2131, {Kind::unavailable, ""}},  // the controller is in standby
    {2163, {Kind::refused, "the group"}},
    {2164, {Kind::refused, "the group"}},
    {2165, {Kind::refused, "the user"}},
    {2166, {Kind::refused, "the user"}},
    {2168, {Kind::conflict, ""}},     // node exists already
    {2177, {Kind::unavailable, ""}},  // too many nodes powered up
    {2179, {Kind::unavailable, ""}},  // would need a preemption first
    {7000, {Kind::unavailable, ""}},  // slurmdbd is unavailable
    {9008, {Kind::unauthorized, "the Slurm token"}},
};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::number));

constexpr bool within(int number, int first, int last) {
  return first <= number && number <= last;
}

}  // namespace

Meaning meaning(int error_number) {
  const Row* row = std::ranges::lower_bound(kRows, error_number, {}, &Row::number);
  if (row != std::end(kRows) && row->number == error_number) return row->meaning;
  if (is_slurmctlds_verdict(error_number)) return {Kind::refused, ""};
  if (within(error_number, 6000, 6099)) {
    return {Kind::unauthorized, "the Slurm token: its user is not accepted"};
  }
  if (within(error_number, 7001, 8999)) return {Kind::refused, ""};  // accounting and plugins
  if (within(error_number, 9000, 9999)) return {Kind::invalid, ""};  // slurmrestd could not read it
  // Communication errors (1000 to 1999, 5003 to 5005), a plain errno, or an unknown number.
  return {Kind::unavailable, ""};
}

bool is_slurmctlds_verdict(int error_number) {
  return within(error_number, 2000, 2999);
}

bool proves_no_effect(int error_number) {
  if (is_slurmctlds_verdict(error_number) || within(error_number, 6000, 9999)) return true;
  return error_number == kConnectFailure || error_number == 1007 || error_number == 1804 ||
         error_number == 1805;
}

}  // namespace slurm::inline api
