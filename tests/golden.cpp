// SPDX-License-Identifier: Apache-2.0
#include "golden.h"

#include "source_tree.h"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

std::string first_difference(std::string_view wanted, std::string_view got) {
  std::istringstream left{std::string(wanted)};
  std::istringstream right{std::string(got)};
  std::string a;
  std::string b;
  for (std::size_t number = 1;; ++number) {
    const bool more_left = static_cast<bool>(std::getline(left, a));
    const bool more_right = static_cast<bool>(std::getline(right, b));
    if (!more_left) a = "(end of file)";
    if (!more_right) b = "(end of file)";
    if (a != b || (!more_left && !more_right)) {
      return "line " + std::to_string(number) + "\n  golden: " + a + "\n  now:    " + b;
    }
  }
}

}  // namespace

std::string golden_difference(std::string_view path, std::string_view text) {
  const std::filesystem::path file = in_source_tree("tests/golden/" + std::string(path));
  if (std::getenv("SB_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return "";
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string wanted{std::istreambuf_iterator<char>(stream), {}};
  if (stream && wanted == text) return "";
  return file.string() + ": " + first_difference(wanted, text) +
         "\nif the new text is right, run the test again with SB_UPDATE_GOLDEN=1";
}
