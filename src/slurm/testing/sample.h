// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"
#include "net/http_wire/http.h"
#include "source_tree.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

// For tests only.
namespace slurm::testing {

// A recorded answer, tests/fixtures/slurm/NAME.json.
inline net::http::Response sample(const std::string& name) {
  std::ifstream in(in_source_tree("tests/fixtures/slurm/" + name + ".json"));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto file = json::parse(text);
  if (!file.ok()) {
    fmt::print(stderr, "no sample {}: {}\n", name, file.error().message());
    std::abort();
  }
  const json::Value* body = file->find("response");
  const std::string* plain = body->as_string();
  return {static_cast<int>(*file->find("status")->as_int()),
          {},
          plain != nullptr ? *plain : (body->is_null() ? "" : body->dump())};
}

inline net::http::Response answer(int status, std::string body) {
  return {status, {}, std::move(body)};
}

}  // namespace slurm::testing
