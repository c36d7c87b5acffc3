// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/waiting_reason.h"

#include <algorithm>
#include <array>
#include <utility>

namespace slurm::inline api {
namespace {

using Line = std::pair<std::string_view, std::string_view>;

// Exact names first, then the prefixes of groups of names.
constexpr std::array kExact{
    Line{"Resources", "it is next, and waits for enough free resources"},
    Line{"Priority", "jobs with a higher priority come first"},
    Line{"Dependency", "it waits for another job"},
    Line{"DependencyNeverSatisfied", "the job that it waits for did not end as required"},
    Line{"BeginTime", "its earliest start time has not come yet"},
    Line{"JobHeldAdmin", "an administrator holds it"},
    Line{"JobHeldUser", "its user holds it"},
    Line{"PartitionDown", "its partition does not start jobs at the moment"},
    Line{"PartitionInactive", "its partition does not accept jobs at the moment"},
    Line{"PartitionNodeLimit", "it requests more nodes than its partition allows"},
    Line{"PartitionTimeLimit", "it requests more time than its partition allows"},
    Line{"ReqNodeNotAvail", "a node that it needs is down, drained or reserved"},
    Line{"BadConstraints", "no node has what it requests"},
    Line{"NodeDown", "a node that it needs is down"},
    Line{"Licenses", "the requested licences are in use"},
    Line{"Reservation", "its reservation has not begun"},
    Line{"ReservationDeleted", "its reservation was deleted"},
    Line{"InvalidAccount", "its account is not valid"},
    Line{"InvalidQOS", "its QOS is not valid"},
    // Slurm uses it for groups as well.
    Line{"AccountNotAllowed", "its account, or its user's groups, may not use this partition"},
    Line{"QOSNotAllowed", "its QOS may not be used in this partition"},
    Line{"JobArrayTaskLimit", "the limit of running tasks of its job array is reached"},
    Line{"Cleaning", "its former run is being cleaned up"},
    Line{"Prolog", "its node is being prepared"},
    Line{"None", "Slurm has not considered it yet"},
};
constexpr std::array kFamilies{
    Line{"QOSMax", "a limit of its QOS is reached for this user or job"},
    Line{"QOSGrp", "all jobs of its QOS together have reached a limit"},
    Line{"QOSMin", "it requests less than its QOS requires"},
    Line{"QOS", "a limit of its QOS is reached"},
    Line{"AssocGrp", "all jobs of its account together have reached a limit"},
    Line{"AssocMax", "a limit of its account is reached for this user or job"},
    Line{"Assoc", "a limit of its account is reached"},
    Line{"MaxCpuPerAccount", "its account uses as many CPUs as it may"},
    Line{"MaxMemPerLimit", "it requests more memory than a job may have"},
    Line{"ReqNodeNotAvail", "a node that it needs is down, drained or reserved"},
    Line{"Reserved", "its nodes are reserved for others"},
};
// Reasons that apply to one job only.
constexpr std::array kOwn{std::string_view("Resources"),
                          std::string_view("Dependency"),
                          std::string_view("DependencyNeverSatisfied"),
                          std::string_view("BeginTime"),
                          std::string_view("JobHeldAdmin"),
                          std::string_view("JobHeldUser"),
                          std::string_view("Cleaning"),
                          std::string_view("Prolog"),
                          std::string_view("None")};

}  // namespace

std::string_view waiting_reason_text(std::string_view reason) {
  const auto* exact = std::ranges::find(kExact, reason, &Line::first);
  if (exact != kExact.end()) return exact->second;
  const auto* family = std::ranges::find_if(
      kFamilies, [&](const Line& line) { return reason.starts_with(line.first); });
  return family == kFamilies.end() ? std::string_view() : family->second;
}

bool is_shared_by_equal_requests(std::string_view reason) {
  return !waiting_reason_text(reason).empty() && std::ranges::find(kOwn, reason) == kOwn.end();
}

}  // namespace slurm::inline api
