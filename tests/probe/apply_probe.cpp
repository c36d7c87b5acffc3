// SPDX-License-Identifier: Apache-2.0
// Reads an array of {"live": ..., "desired": ...} from its input and prints the kind and name of each
// live object that kube::needs_apply would write again. Exit code 0 if there is none.
#include "json/pointer.h"
#include "json/value.h"
#include "kube/client/needs_apply.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

namespace {

std::string text(const json::Value& object, const json::Pointer& place) {
  const json::Value* found = json::find(object, place);
  return found == nullptr || found->as_string() == nullptr ? "?" : *found->as_string();
}

bool is_stable(const json::Value& pair, std::string_view manager) {
  const json::Value* live = pair.find("live");
  const json::Value* desired = pair.find("desired");
  if (live == nullptr || desired == nullptr || desired->as_object() == nullptr) return false;
  if (!kube::needs_apply(*live, *desired->as_object(), manager)) return true;
  fmt::print("{} {}\n", text(*live, {"kind"}), text(*live, {"metadata", "name"}));
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: apply_probe FIELD_MANAGER < PAIRS\n");
    return 2;
  }
  const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
  const auto pairs = json::parse(input);
  if (!pairs.ok() || pairs->as_array() == nullptr) {
    fmt::print(stderr, "the input is no array\n");
    return 2;
  }
  bool all_stable = true;
  for (const json::Value& pair : *pairs->as_array()) {
    all_stable = is_stable(pair, arguments[1]) && all_stable;
  }
  return all_stable ? 0 : 1;
}
