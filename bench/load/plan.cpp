// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <fmt/format.h>

namespace load {

base::Result<Verb> verb_named(const std::string& name) {
  if (name == "bare") return Verb::bare;
  if (name == "create") return Verb::create;
  if (name == "clear") return Verb::clear;
  return base::Error(base::Kind::invalid,
                     fmt::format("\"{}\" is not one of bare, create, clear", name));
}

base::Result<Until> until_named(const std::string& name) {
  if (name == "created") return Until::created;
  if (name == "labelled") return Until::labelled;
  if (name == "explained") return Until::explained;
  if (name == "bound") return Until::bound;
  return base::Error(
      base::Kind::invalid,
      fmt::format("--until: \"{}\" is not one of created, labelled, explained, bound", name));
}

}  // namespace load
