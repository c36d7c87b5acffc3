// SPDX-License-Identifier: Apache-2.0
#include "controller_names.h"

#include "base/quote.h"

#include <algorithm>
#include <array>

namespace operator_app {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr auto kNames = std::to_array<std::string_view>(
    {"cluster", "nodeconfigurator", "nodeset", "rollingupdate", "topology"});

}  // namespace

Result<void> check_controllers(std::string_view list) {
  while (!list.empty()) {
    std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(name.size() + 1, list.size()));
    const bool is_off = name.starts_with('-');
    if (is_off) name.remove_prefix(1);
    if (name == "*" || name.empty()) continue;
    if (std::ranges::find(kNames, name) == kNames.end())
      return Error(Kind::invalid,
                   base::quoted(name) +
                       " is not a controller; the names are cluster, "
                       "nodeconfigurator, nodeset, rollingupdate and topology");
    if (is_off && (name == "cluster" || name == "nodeset"))
      return Error(Kind::invalid,
                   base::quoted(name) +
                       " cannot be switched off: one controller handles clusters "
                       "and NodeSets");
  }
  return {};
}

}  // namespace operator_app
