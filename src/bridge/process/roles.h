// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace bridge::process {

enum class Role { all, scheduler, controllers, admission };

// What a role runs. A part that is not listed for a role does not run in it.
struct RoleParts {
  Role role;
  std::string_view name;     // as on the command line
  bool scheduler = false;    // binds pods where Slurm placed their jobs
  bool controllers = false;  // pod sync, node sync, orphans
  bool admission = false;    // the webhook; needs neither Slurm nor leadership
};

// Every role, in the order of the usage text. No other code derives parts from a role.
inline constexpr auto kRoles = std::to_array<RoleParts>({
    {.role = Role::all, .name = "all", .scheduler = true, .controllers = true, .admission = true},
    {.role = Role::scheduler, .name = "scheduler", .scheduler = true},
    {.role = Role::controllers, .name = "controllers", .controllers = true},
    {.role = Role::admission, .name = "admission", .admission = true},
});

// Expects  a role of the table; another one runs nothing and has no name.
constexpr RoleParts parts_of(Role role) {
  for (const RoleParts& parts : kRoles)
    if (parts.role == role) return parts;
  return {.role = role, .name = ""};
}

constexpr std::string_view name(Role role) {
  return parts_of(role).name;
}

// Whether the role needs an Instance, and so an address and a token of Slurm.
constexpr bool uses_slurm(Role role) {
  return parts_of(role).scheduler || parts_of(role).controllers;
}

}  // namespace bridge::process
