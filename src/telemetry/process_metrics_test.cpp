// SPDX-License-Identifier: Apache-2.0
#include "telemetry/process_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace telemetry {
namespace {

const std::string kAfterTheName =
    "S 1 4711 4711 0 -1 4194560 1234 0 0 0 17 5 0 0 20 0 1 0 987654 12345678 2000 184467";

TEST(ProcessMetrics, MemoryIsReadFromStatm) {
  const auto memory = memory_of("5000 1200 800 300 0 900 0\n", 4096);
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->virtual_bytes, 5000U * 4096);
  EXPECT_EQ(memory->resident_bytes, 1200U * 4096);
  for (const char* text : {"", "5000", "5000 x", "-1 2"})
    EXPECT_FALSE(memory_of(text, 4096).has_value()) << text;
}

TEST(ProcessMetrics, TheStartIsParsedForAnyProgramName) {
  for (const char* name : {"(bridge)", "(a b)", "(a) R 1 2)", "()", "(\n)"})
    EXPECT_EQ(start_ticks_of("4711 " + std::string(name) + " " + kAfterTheName), 987654U) << name;
  for (const char* text : {"", "4711", "4711 (a) S 1 2", "4711 (a)"})
    EXPECT_FALSE(start_ticks_of(text).has_value()) << text;
}

TEST(ProcessMetrics, TheBootTimeIsParsedFromItsLine) {
  EXPECT_EQ(boot_time_of("cpu 1 2 3\nctxt 5\nbtime 1700000000\nprocesses 7\n"), 1700000000U);
  EXPECT_FALSE(boot_time_of("cpu 1\nxbtime 17\n").has_value());
  EXPECT_FALSE(boot_time_of("cpu 1\nbtime\n").has_value());
}

RC_GTEST_PROP(ProcessMetricsProperty, NoInputCrashes, (const std::string& text)) {
  (void)memory_of(text, 4096);
  (void)start_ticks_of(text);
  (void)boot_time_of(text);
}

double value_of(const Metrics& metrics, const std::string& name) {
  const std::string text = metrics.text();
  const auto place = text.find("\n" + name + " ");
  return place == std::string::npos ? -1 : std::stod(text.substr(place + name.size() + 2));
}

TEST(ProcessMetrics, AreThoseOfThisProcess) {
  Metrics metrics;
  add_process_metrics(metrics);
  EXPECT_GT(value_of(metrics, "process_resident_memory_bytes"), 100'000);
  EXPECT_GE(value_of(metrics, "process_virtual_memory_bytes"),
            value_of(metrics, "process_resident_memory_bytes"));
  EXPECT_GT(value_of(metrics, "process_max_fds"), 10);
  const double cpu = value_of(metrics, "process_cpu_seconds_total");
  EXPECT_GE(cpu, 0);
  EXPECT_GE(value_of(metrics, "process_cpu_seconds_total"), cpu);

  const double before = value_of(metrics, "process_open_fds");
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(value_of(metrics, "process_open_fds"), before + 1);
  ::close(file);
  EXPECT_EQ(value_of(metrics, "process_open_fds"), before);

  const auto now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch());
  const double start = value_of(metrics, "process_start_time_seconds");
  EXPECT_GT(start, now.count() - 24 * 3600);
  EXPECT_LT(start, now.count() + 60);
}

}  // namespace
}  // namespace telemetry
