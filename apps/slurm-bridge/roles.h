// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/process/roles.h"

#include <optional>
#include <string>
#include <string_view>

namespace app {

using bridge::process::Role;

// The role with this name, if there is one.
std::optional<Role> role_named(std::string_view name);

// The role that the file name of a program selects, whatever its folder: "/scheduler",
// "slurm-bridge-controllers". Empty for any other name, such as slurm-bridge.
std::optional<Role> role_of_program(std::string_view program);

// One line of the usage text for each role.
std::string describe_roles();

}  // namespace app
