// SPDX-License-Identifier: Apache-2.0
#include "telemetry/process_metrics.h"

#include "base/integer.h"

#include <cstddef>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace telemetry {
namespace {

// The next word of a text that is divided by single spaces and line breaks.
std::string_view take_word(std::string_view& rest) {
  const auto end = std::min(rest.find_first_of(" \n"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

std::optional<std::uint64_t> take_number(std::string_view& rest) {
  auto number = base::parse_integer<std::uint64_t>(take_word(rest));
  return number.ok() ? std::optional(*number) : std::nullopt;
}

// Files of /proc: made by the kernel when they are read, never waited for.
std::string read(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::optional<std::size_t> open_files() {
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return std::nullopt;
  std::size_t entries = 0;
  while (::readdir(folder) != nullptr) ++entries;
  ::closedir(folder);
  constexpr std::size_t kNotFiles = 3;  // ".", ".." and the folder that we read
  return entries > kNotFiles ? entries - kNotFiles : 0;
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::optional<double> start_time() {
  const auto ticks = start_ticks_of(read("/proc/self/stat"));
  const auto boot = boot_time_of(read("/proc/stat"));
  if (!ticks || !boot) return std::nullopt;
  const auto per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  return static_cast<double>(*boot) + static_cast<double>(*ticks) / per_second;
}

}  // namespace

std::optional<Memory> memory_of(std::string_view proc_self_statm, std::uint64_t page_size) {
  const auto all = take_number(proc_self_statm);
  const auto resident = take_number(proc_self_statm);
  if (!all || !resident) return std::nullopt;
  return Memory{*all * page_size, *resident * page_size};
}

std::optional<std::uint64_t> start_ticks_of(std::string_view proc_self_stat) {
  constexpr int kBefore = 19;  // fields 3 to 21; ours is 22 (proc(5))
  const auto name_ends = proc_self_stat.rfind(") ");
  if (name_ends == std::string_view::npos) return std::nullopt;
  proc_self_stat.remove_prefix(name_ends + 2);
  for (int i = 0; i < kBefore; ++i) take_word(proc_self_stat);
  return take_number(proc_self_stat);
}

std::optional<std::uint64_t> boot_time_of(std::string_view proc_stat) {
  constexpr std::string_view kKey = "\nbtime ";
  const auto place = proc_stat.find(kKey);
  if (place == std::string_view::npos) return std::nullopt;
  proc_stat.remove_prefix(place + kKey.size());
  return take_number(proc_stat);
}

void add_process_metrics(Metrics& metrics) {
  Gauge& resident =
      metrics.gauge({"process_resident_memory_bytes", "Resident memory size in bytes."});
  Gauge& all = metrics.gauge({"process_virtual_memory_bytes", "Virtual memory size in bytes."});
  Gauge& files = metrics.gauge({"process_open_fds", "Number of open file descriptors."});
  Gauge& most = metrics.gauge({"process_max_fds", "Maximum number of open file descriptors."});
  Counter& cpu =
      metrics.counter({"process_cpu_seconds_total", "User and system CPU time spent, in seconds."});
  Gauge& start =
      metrics.gauge({"process_start_time_seconds", "Start of the process in seconds since 1970."});
  start.set(start_time().value_or(0));

  metrics.before_reading([&resident, &all, &files, &most, &cpu] {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (const auto memory = memory_of(read("/proc/self/statm"), page)) {
      resident.set(static_cast<double>(memory->resident_bytes));
      all.set(static_cast<double>(memory->virtual_bytes));
    }
    if (const auto count = open_files()) files.set(static_cast<double>(*count));
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) most.set(static_cast<double>(limit.rlim_cur));
    cpu.raise_to(cpu_seconds());
  });
}

}  // namespace telemetry
