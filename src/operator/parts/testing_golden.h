// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "golden.h"
#include "json/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace slurmop::parts {

// For tests only: the value with one member or element per line.
inline std::string pretty(const json::Value& value, const std::string& indent = "") {
  const std::string inner = indent + "  ";
  std::vector<std::string> lines;
  const json::Object* object = value.as_object();
  const json::Array* array = value.as_array();
  if (object != nullptr) {
    for (const json::Member& member : *object) {
      lines.push_back(json::Value(member.key).dump() + ": " + pretty(member.value, inner));
    }
  } else if (array != nullptr) {
    for (const json::Value& element : *array) lines.push_back(pretty(element, inner));
  }
  if (lines.empty()) return value.dump();
  return fmt::format("{1}\n{0}{3}\n{4}{2}",
                     inner,
                     object != nullptr ? "{" : "[",
                     object != nullptr ? "}" : "]",
                     fmt::join(lines, ",\n" + inner),
                     indent);
}

// Compares each object with tests/golden/operator/parts/<folder>/<kind>.<name>.json. The test
// tests/e2e/t1010_operator_objects.py gives these files to a real API server.
inline void expect_golden(std::string_view folder, const std::vector<json::Object>& objects) {
  for (const json::Object& object : objects) {
    const std::string path = fmt::format("operator/parts/{}/{}.{}.json",
                                         folder,
                                         *object.find("kind")->as_string(),
                                         *object.find("metadata")->find("name")->as_string());
    EXPECT_EQ(golden_difference(path, pretty(object) + "\n"), "");
  }
}

}  // namespace slurmop::parts
