// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/small_file.h"

namespace kube {

using net::read_small_file;

}  // namespace kube
