// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/durable_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Kind;
using base::Result;

constexpr ::mode_t kFolderMode = 0755;
constexpr ::mode_t kFileMode = 0644;

Error failed(std::string_view step, const std::string& path, int number) {
  return {Kind::unavailable, fmt::format("cannot {} {}: {}", step, path, std::strerror(number))};
}

// A file descriptor that is closed by its owner.
class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string draft_of(const std::string& path) {
  const fs::path full(path);
  return (full.parent_path() / ("." + full.filename().string() + ".draft")).string();
}

Result<void> rename_draft(const std::string& draft, const std::string& path) {
  if (::rename(draft.c_str(), path.c_str()) != 0) return failed("replace", path, errno);
  return sync_folder(fs::path(path).parent_path().string());
}

}  // namespace

Result<void> make_folder(const std::string& path) {
  std::error_code problem;
  if (fs::is_directory(path, problem)) return {};
  if (const fs::path parent = fs::path(path).parent_path(); !parent.empty() && parent != path) {
    TRY_VOID(make_folder(parent.string()));
  }
  if (::mkdir(path.c_str(), kFolderMode) != 0 && errno != EEXIST) {
    return failed("create folder", path, errno);
  }
  if (::chmod(path.c_str(), kFolderMode) != 0) return failed("set the mode of", path, errno);
  return {};
}

Result<std::string> make_new_folder(const std::string& prefix) {
  std::string path = prefix + ".XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return failed("create folder", path, errno);
  if (::chmod(path.c_str(), kFolderMode) != 0) return failed("set the mode of", path, errno);
  return path;
}

Result<void> write_new_file(const std::string& path, std::string_view content) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
  if (!fd) return failed("create", path, errno);
  if (!write_all(fd.get(), content)) return failed("write", path, errno);
  if (::fchmod(fd.get(), kFileMode) != 0) return failed("set the mode of", path, errno);
  if (::fsync(fd.get()) != 0) return failed("write", path, errno);
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view content) {
  const std::string draft = draft_of(path);
  TRY_VOID(write_new_file(draft, content));
  return rename_draft(draft, path);
}

Result<void> replace_link(const std::string& target, const std::string& path) {
  const std::string draft = draft_of(path);
  ::unlink(draft.c_str());
  if (::symlink(target.c_str(), draft.c_str()) != 0) return failed("create link", draft, errno);
  return rename_draft(draft, path);
}

Result<void> sync_folder(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return failed("open", path, errno);
  // Some file systems of volumes cannot sync a folder; their renames are synchronous.
  if (::fsync(fd.get()) != 0 && errno != EINVAL && errno != EROFS) {
    return failed("write", path, errno);
  }
  return {};
}

}  // namespace slurmop::agent
