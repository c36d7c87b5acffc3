// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// For tests only: where a file of this repository is, given its path from the top.
//
// The one place that knows the clone's folder. A compiler's command line that named it would differ
// from clone to clone, and ccache would compile every test anew in each.
std::string in_source_tree(std::string_view path);
