// SPDX-License-Identifier: Apache-2.0
// The tests that docs/compatibility.md, docs/scheduling.md and README.md of this folder name have to
// exist.
#include "bridge/writes/causes.h"
#include "source_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kSource = in_source_tree("");

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The test files whose path ends with this name.
std::vector<fs::path> files_called(const std::vector<fs::path>& files, const std::string& name) {
  std::vector<fs::path> found;
  for (const fs::path& file : files)
    if (file.string().ends_with("/" + name)) found.push_back(file);
  return found;
}
std::vector<fs::path> all_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"src", "apps", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      files.push_back(entry.path());
  return files;
}

bool defines(const std::string& text, const std::string& test) {
  const auto dot = test.find('.');
  if (dot == std::string::npos) return text.contains("def " + test + "(");
  // The formatter may have put the name on a line of its own.
  const std::regex pattern("\\(" + test.substr(0, dot) + ",\\s*" + test.substr(dot + 1) + "[,)]");
  return std::regex_search(text, pattern);
}

// The number of tests that the text names; each must exist.
int tests_named_in(const std::string& text) {
  static const auto files = all_files();
  static const std::regex named("`([\\w/]+\\.(?:cpp|py)):([\\w.]+)`");
  int checked = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), named), end; it != end; ++it, ++checked) {
    const auto found = files_called(files, (*it)[1]);
    EXPECT_EQ(found.size(), 1U) << it->str() << ": no such file, or more than one";
    if (found.size() == 1) EXPECT_TRUE(defines(text_of(found.front()), (*it)[2])) << it->str();
  }
  return checked;
}

TEST(Compatibility, EveryTestThatThePageNamesExists) {
  EXPECT_GT(tests_named_in(text_of(kSource / "docs/compatibility.md")), 100);
}

// causes_test.cpp checks that the page has every row of the table in the code.
TEST(Causes, EachLineOfThePageNamesATestThatExists) {
  std::istringstream page(text_of(kSource / "docs/scheduling.md"));
  std::size_t lines = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.starts_with("| cause ")) continue;
    ++lines;
    EXPECT_GT(tests_named_in(line), 0) << "no test covers this line: " << line;
  }
  EXPECT_EQ(lines, bridge::writes::causes().size());
}

TEST(Compatibility, EveryFileThatTheListOfFaultsNamesExistsAndEachIsNamed) {
  const fs::path folder = kSource / "tests/issues";
  const std::string list = text_of(folder / "README.md");
  const std::regex named("`([\\w/]+)((?:_test)?\\.(?:cpp|py))`");
  for (std::sregex_iterator it(list.begin(), list.end(), named), end; it != end; ++it) {
    const std::string name = (*it)[1].str() + (*it)[2].str();
    EXPECT_TRUE(fs::exists(name.contains('/') ? kSource / name : folder / name)) << name;
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("_test.cpp")) EXPECT_TRUE(list.contains("`" + name + "`")) << name;
  }
}

}  // namespace
