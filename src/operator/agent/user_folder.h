// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace slurmop::agent {

// Makes the user the owner of a folder, if this process is root and the user exists. Otherwise
// nothing is changed, and slurmctld itself reports that it cannot use the folder or its user.
void give_to_user(const std::string& folder, const std::string& user);

}  // namespace slurmop::agent
