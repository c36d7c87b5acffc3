// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only.

#include "operator/agent/configuration.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace slurmop::agent::testing {

// A folder below the system's temporary folder that is removed with the object. publish() replaces
// its content as the kubelet does for a mounted ConfigMap.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sb-agent-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const {
    return (std::filesystem::path(path_) / name).string();
  }

  void write(std::string_view name, std::string_view text) const {
    const std::filesystem::path file = *this / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

  void publish(const Configuration& configuration) const {
    namespace fs = std::filesystem;
    const fs::path root = path_;
    const fs::path link = root / "..data";
    const fs::path old = fs::is_symlink(link) ? root / fs::read_symlink(link) : fs::path();
    const std::string version = "..version_" + std::to_string(++versions_);
    for (const auto& [name, text] : configuration.files) write(version + "/" + name, text);
    write(version + "/" + std::string(kHashFile), configuration.hash);
    fs::create_symlink(version, root / "..data_tmp");
    fs::rename(root / "..data_tmp", link);
    for (const auto& entry : fs::directory_iterator(root / version)) {
      const fs::path name = entry.path().filename();
      if (!fs::is_symlink(root / name)) fs::create_symlink("..data" / name, root / name);
    }
    if (!old.empty()) fs::remove_all(old);
  }

 private:
  std::string path_;
  mutable int versions_ = 0;
};

}  // namespace slurmop::agent::testing
