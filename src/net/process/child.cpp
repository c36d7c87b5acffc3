// SPDX-License-Identifier: Apache-2.0
#include "net/process/child.h"

#include "net/async/loop.h"
#include "net/transport/deadline.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace net::inline process {

using base::Error;
using base::Kind;
using base::Result;

namespace {

// A file descriptor that is closed by its owner.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};

Error failed(std::string_view what, int number) {
  return Error(Kind::internal, fmt::format("{}: {}", what, std::strerror(number)));
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

// Attributes of the child that differ from this process: its three files, a separate process group,
// and no blocked or ignored signals.
class Setup {
 public:
  Setup(int out, int err) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, err, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t set;
    ::sigfillset(&set);
    ::posix_spawnattr_setsigdefault(&attributes_, &set);
    ::sigemptyset(&set);
    ::posix_spawnattr_setsigmask(&attributes_, &set);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;
  ~Setup() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& pid, Command& command) const {
    const auto pointers = [](std::vector<std::string>& texts) {
      std::vector<char*> made;
      for (std::string& text : texts) made.push_back(text.data());
      made.push_back(nullptr);
      return made;
    };
    std::vector<char*> argv = pointers(command.argv);
    std::vector<char*> environment = pointers(command.environment);
    return ::posix_spawnp(&pid, argv[0], &files_, &attributes_, argv.data(), environment.data());
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// Not glibc's own function: its header lacks extern "C" in Debian 12.
int open_pidfd(pid_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n');
  return std::string(begin == std::string_view::npos ? text : text.substr(begin + 1));
}

}  // namespace

// The running child; kept alive by its pending operations until it has been reaped.
class Child::Process : public std::enable_shared_from_this<Process> {
 public:
  Process(Loop& loop, std::string name, std::size_t output_limit, OnExit on_exit)
      : loop_(loop),
        name_(std::move(name)),
        output_limit_(output_limit),
        on_exit_(std::move(on_exit)),
        out_{asio::posix::stream_descriptor(loop.executor())},
        err_{asio::posix::stream_descriptor(loop.executor())},
        end_(loop.executor()) {}

  void begin(pid_t pid, Fd out, Fd err, Fd end) {
    pid_ = pid;
    out_.file.assign(out.release());
    err_.file.assign(err.release());
    end_.assign(end.release());
    read(out_);
    read(err_);
    end_.async_wait(
        asio::posix::stream_descriptor::wait_read,
        [self = shared_from_this()](const boost::system::error_code&) { self->reap(); });
  }

  void limit_time(base::Duration at_most) {
    timer_ = loop_.timers().arm(loop_.in(at_most), [this, at_most] {
      give_up(Error(Kind::unavailable,
                    fmt::format("{} did not finish within {}", name_, duration_text(at_most))));
    });
  }

  void abandon() {
    on_exit_ = nullptr;
    timer_.cancel();
    kill_all();
  }

 private:
  struct Source {
    asio::posix::stream_descriptor file;
    std::array<char, 4096> buffer{};
    std::string text{};
    std::size_t taken = 0;  // total bytes read, including those that were discarded
  };

  // Asio only reports readiness: bytes that Asio had already read for a handler that has not run
  // yet would be missing in drain().
  void read(Source& source) {
    source.file.async_wait(
        asio::posix::stream_descriptor::wait_read,
        [self = shared_from_this(), &source](const boost::system::error_code& problem) {
          if (problem || self->reaped_ || self->gave_up_) return;
          if (self->read_once(source) && !self->gave_up_) self->read(source);
        });
  }

  // Returns false at the end.
  bool read_once(Source& source) {
    const ssize_t size =
        ::read(source.file.native_handle(), source.buffer.data(), source.buffer.size());
    if (size > 0) take(source, static_cast<std::size_t>(size));
    return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
  }

  void take(Source& source, std::size_t size) {
    constexpr std::size_t kLastWords = 8192;
    source.text.append(source.buffer.data(), size);
    source.taken += size;
    if (&source == &err_ && source.text.size() > kLastWords) {
      source.text.erase(0, source.text.size() - kLastWords / 2);
    }
    if (&source == &out_ && source.text.size() > output_limit_) {
      give_up(Error(Kind::unavailable,
                    fmt::format("{} wrote more than {} bytes", name_, output_limit_)));
    }
  }

  // Reads what the child wrote just before its end, at most the capacity of a pipe: grandchildren
  // may keep the pipe open and continue to write, and are not waited for.
  void drain(Source& source) {
    constexpr std::size_t kLargestPipe = 1UL << 20U;
    const std::size_t begin = source.taken;
    std::size_t before = 0;
    do {
      before = source.taken;
    } while (read_once(source) && source.taken > before && source.taken - begin < kLargestPipe &&
             !gave_up_);
  }

  void reap() {
    if (reaped_) return;
    int status = 0;
    const bool known = ::waitpid(pid_, &status, WNOHANG) == pid_;
    reaped_ = true;
    timer_.cancel();
    if (!gave_up_) {
      drain(out_);
      drain(err_);
    }
    Finished finished{.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                      .output = std::move(out_.text),
                      .stderr_tail = last_line(err_.text)};
    close();
    if (known) {
      report(std::move(finished));
    } else {
      report(Error(Kind::internal, name_ + " was reaped by other code of this process"));
    }
  }

  void give_up(Error error) {
    gave_up_ = true;
    kill_all();
    report(std::move(error));
  }

  void kill_all() {
    gave_up_ = true;
    if (pid_ > 0 && !reaped_) ::kill(-pid_, SIGKILL);
  }

  void close() {
    boost::system::error_code ignored;
    out_.file.close(ignored);
    err_.file.close(ignored);
    end_.close(ignored);
  }

  // In a later turn: the callback may destroy the Child.
  void report(Result<Finished> how) {
    if (!on_exit_) return;
    asio::post(loop_.executor(), [self = shared_from_this(), how = std::move(how)]() mutable {
      if (const OnExit on_exit = std::exchange(self->on_exit_, nullptr)) on_exit(std::move(how));
    });
  }

  Loop& loop_;
  std::string name_;
  std::size_t output_limit_;
  OnExit on_exit_;
  pid_t pid_ = 0;
  bool reaped_ = false;
  bool gave_up_ = false;
  Source out_;
  Source err_;
  asio::posix::stream_descriptor end_;  // a pidfd: readable when the child has ended
  Timer timer_;
};

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) all.emplace_back(*variable);
  return all;
}

Result<std::unique_ptr<Child>> Child::start(Loop& loop, Command command, OnExit on_exit) {
  if (command.argv.empty() || command.argv[0].empty())
    return Error(Kind::invalid, "no program to run");
  const std::string name = command.argv[0];
  TRY(Pipe out, make_pipe());
  TRY(Pipe err, make_pipe());
  pid_t pid = 0;
  if (const int problem = Setup(out.write.get(), err.write.get()).spawn(pid, command);
      problem != 0) {
    return Error(problem == ENOENT ? Kind::not_found : Kind::invalid,
                 fmt::format("cannot run {}: {}", name, std::strerror(problem)));
  }
  Fd end(open_pidfd(pid));
  if (end.get() < 0) {
    const int problem = errno;
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return failed("pidfd_open", problem);
  }
  for (const int fd : {out.read.get(), err.read.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  auto process = std::make_shared<Process>(loop, name, command.output_limit, std::move(on_exit));
  process->begin(pid, std::move(out.read), std::move(err.read), std::move(end));
  process->limit_time(command.at_most);
  return std::unique_ptr<Child>(new Child(std::move(process)));
}

Child::~Child() {
  process_->abandon();
}

}  // namespace net::inline process
