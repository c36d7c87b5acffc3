// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/configuration.h"

#include "base/quote.h"
#include "net/files/small_file.h"
#include "net/files/token_file.h"
#include "operator/conf/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Kind;
using base::Result;

constexpr const char* kDataLink = "..data";  // of a mounted ConfigMap: its current version
constexpr std::size_t kLongestHash = 128;

// The folder with the files. It changes when the kubelet replaces the ConfigMap.
Result<fs::path> version_of(const fs::path& folder) {
  std::error_code problem;
  const fs::path link = folder / kDataLink;
  const bool mounted = fs::is_symlink(fs::symlink_status(link, problem));
  fs::path version = fs::canonical(mounted ? link : folder, problem);
  if (problem) {
    return Error(mounted ? Kind::unavailable : Kind::not_found,
                 fmt::format("{}: {}", folder.string(), problem.message()));
  }
  return version;
}

bool is_hash(std::string_view text) {
  return !text.empty() && text.size() <= kLongestHash && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

Error incomplete(const std::string& folder, std::string_view file) {
  return {Kind::not_found, fmt::format("{} has no file {}", folder, file)};
}

Result<std::map<std::string, std::string>> read_files(const fs::path& version) {
  std::map<std::string, std::string> files;
  std::error_code problem;
  for (fs::directory_iterator entry(version, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    std::error_code gone;
    if (name.starts_with('.') || !entry->is_regular_file(gone)) continue;
    if (files.size() == kMostFiles) {
      return Error(Kind::invalid, fmt::format("there are more than {} files", kMostFiles));
    }
    TRY(std::string content, net::read_small_file(entry->path().string(), kMostFileBytes));
    files.emplace(name, std::move(content));
  }
  if (problem) return Error(Kind::unavailable, problem.message());
  return files;
}

Result<Configuration> with_hash(const std::string& folder,
                                std::map<std::string, std::string> files) {
  const auto hash = files.extract(std::string(kHashFile));
  if (hash.empty()) return incomplete(folder, kHashFile);
  if (!files.contains(std::string(kMainFile))) return incomplete(folder, kMainFile);
  for (const std::string_view name : kReservedNames) {
    if (!files.contains(std::string(name))) continue;
    return Error(Kind::invalid, fmt::format("{}: a file must not be named {}", folder, name));
  }
  const std::string_view text = net::trimmed(hash.mapped());
  if (!is_hash(text)) {
    return Error(
        Kind::invalid,
        fmt::format("{}: the file {} has no hash but {}", folder, kHashFile, base::quoted(text)));
  }
  return Configuration{std::string(text), std::move(files)};
}

}  // namespace

std::string content_id(const Configuration& configuration) {
  std::string all = configuration.hash;
  for (const auto& [name, content] : configuration.files) {
    all += fmt::format("\n{} {} {}\n", name.size(), name, content.size());
    all += content;
  }
  return conf::sha256_hex(all);
}

std::string difference(const Configuration& before, const Configuration& after) {
  std::string text;
  const auto add = [&](std::string_view sign, const std::string& name) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", sign, name);
  };
  for (const auto& [name, content] : after.files) {
    const auto old = before.files.find(name);
    if (old == before.files.end()) {
      add("+", name);
    } else if (old->second != content) {
      add("", name);
    }
  }
  for (const auto& [name, content] : before.files) {
    if (!after.files.contains(name)) add("-", name);
  }
  return text;
}

const std::string& slurm_conf(const Configuration& configuration) {
  static const std::string kNone;
  const auto main = configuration.files.find(std::string(kMainFile));
  return main == configuration.files.end() ? kNone : main->second;
}

Result<Configuration> read_configuration(const std::string& folder) {
  TRY(const fs::path version, version_of(folder));
  auto files = read_files(version);
  const auto now = version_of(folder);
  if (!now.ok() || *now != version) {
    return Error(Kind::unavailable, fmt::format("{} is being replaced", folder));
  }
  if (!files.ok()) return std::move(files).error().in(folder);
  return with_hash(folder, std::move(*files));
}

}  // namespace slurmop::agent
