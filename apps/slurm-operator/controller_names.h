// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <string_view>

namespace operator_app {

// Checks a value of -controllers: a list of soperator's controller names, "*", and names with "-" in
// front, separated by commas.
//
// Errors      invalid  an unknown name, or the controller of clusters is switched off: it is the only
//                      one here
base::Result<void> check_controllers(std::string_view list);

}  // namespace operator_app
