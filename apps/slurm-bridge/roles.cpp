// SPDX-License-Identifier: Apache-2.0
#include "roles.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {
namespace {

using bridge::process::kRoles;
using bridge::process::RoleParts;

std::string_view purpose(Role role) {
  switch (role) {
    case Role::all: return "every role in one process";
    case Role::scheduler:
      return "turns pods into Slurm jobs and binds them where Slurm placed them";
    case Role::controllers: return "keeps pods and jobs in step";
    case Role::admission: return "completes and checks pods before they exist (a webhook)";
  }
  return "";
}

}  // namespace

std::optional<Role> role_named(std::string_view wanted) {
  const auto found = std::ranges::find(kRoles, wanted, &RoleParts::name);
  return found == kRoles.end() ? std::nullopt : std::optional(found->role);
}

std::optional<Role> role_of_program(std::string_view program) {
  constexpr std::string_view kPrefix = "slurm-bridge-";
  program.remove_prefix(program.rfind('/') + 1);
  if (program.starts_with(kPrefix)) program.remove_prefix(kPrefix.size());
  return role_named(program);
}

std::string describe_roles() {
  std::string lines;
  for (const RoleParts& parts : kRoles)
    lines.append(fmt::format("  slurm-bridge {:<18} {}\n", parts.name, purpose(parts.role)));
  return lines;
}

}  // namespace app
