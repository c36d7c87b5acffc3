// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/process/instance.h"

#include <string>
#include <string_view>

namespace app {

using bridge::process::Role;

// A role as people ask for it.
struct RoleEntry {
  Role role;
  std::string_view what;  // it does, for the usage
  bool speaks_to_slurm;   // and so cannot do without an address and a token
};

// nullptr if there is no role of that name.
const RoleEntry* role_named(std::string_view name);

// The role that a program is by its name alone, whatever folder it is in: "/scheduler",
// "slurm-bridge-controllers". nullptr for any other name, such as slurm-bridge.
const RoleEntry* role_of_program(std::string_view program);

// One line for each role.
std::string describe_roles();

}  // namespace app
