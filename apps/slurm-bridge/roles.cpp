// SPDX-License-Identifier: Apache-2.0
#include "roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace app {
namespace {

constexpr auto kRoles = std::to_array<RoleEntry>({
    {Role::all, "every role in one process", true},
    {Role::scheduler, "turns pods into Slurm jobs and binds them where Slurm placed them", true},
    {Role::controllers, "keeps pods and jobs in step", true},
    {Role::admission, "completes and judges pods before they exist (a webhook)", false},
});

}  // namespace

const RoleEntry* role_named(std::string_view wanted) {
  const auto found = std::ranges::find_if(
      kRoles, [wanted](const RoleEntry& entry) { return name(entry.role) == wanted; });
  return found == kRoles.end() ? nullptr : &*found;
}

const RoleEntry* role_of_program(std::string_view program) {
  constexpr std::string_view kPrefix = "slurm-bridge-";
  program.remove_prefix(program.rfind('/') + 1);
  if (program.starts_with(kPrefix)) program.remove_prefix(kPrefix.size());
  return role_named(program);
}

std::string describe_roles() {
  std::string lines;
  for (const RoleEntry& entry : kRoles)
    lines.append(fmt::format("  slurm-bridge {:<18} {}\n", name(entry.role), entry.what));
  return lines;
}

}  // namespace app
