// SPDX-License-Identifier: Apache-2.0
#include "workload/job_annotations.h"

#include "base/quantity.h"
#include "base/quote.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace workload {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using slurm::JobRequest;

Error wrong(std::string_view suffix, const std::string& value, std::string_view remedy) {
  return Error(
      Kind::invalid,
      fmt::format(
          "annotation {}{}: {} {}", kJobAnnotationPrefix, suffix, base::quoted(value), remedy));
}

Result<std::uint32_t> whole_number(std::string_view suffix,
                                   const std::string& value,
                                   std::string_view example) {
  std::int32_t number = 0;  // Slurm and the reference stop at 31 bits
  const char* end = value.data() + value.size();
  const auto [stopped, failed] = std::from_chars(value.data(), end, number);
  if (value.empty() || failed != std::errc() || stopped != end || number < 0) {
    return wrong(suffix, value, example);
  }
  return static_cast<std::uint32_t>(number);
}

// Slurm's own text fields go through as they are, except for what no Slurm name contains.
Result<void> text(std::string JobRequest::* field,
                  std::string_view suffix,
                  const std::string& value,
                  JobRequest& request) {
  constexpr std::size_t kLongest = 1024;
  const bool printable =
      std::ranges::all_of(value, [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
  if (!printable || value.size() > kLongest) {
    return wrong(suffix, value, "contains control characters or is longer than 1024 bytes");
  }
  request.*field = value;
  return {};
}

struct Rule {
  std::string_view suffix;
  Result<void> (*apply)(std::string_view suffix, const std::string& value, JobRequest& request);
};

template <std::string JobRequest::* Field>
Result<void> set_text(std::string_view suffix, const std::string& value, JobRequest& request) {
  return text(Field, suffix, value, request);
}

Result<void> set_cpus(std::string_view suffix, const std::string& value, JobRequest& request) {
  const auto quantity = base::Quantity::parse(value);
  if (!quantity.ok()) return wrong(suffix, value, "is not a number of CPUs; write \"4\"");
  const std::int64_t cpus = quantity->value();
  if (cpus < 1 || cpus > std::numeric_limits<std::uint16_t>::max()) {
    return wrong(suffix, value, "is not between 1 and 65535 CPUs");
  }
  request.cpus_per_task = static_cast<std::uint32_t>(cpus);
  return {};
}

Result<void> set_memory(std::string_view suffix, const std::string& value, JobRequest& request) {
  const auto quantity = base::Quantity::parse(value);
  if (!quantity.ok() || quantity->value() < 0) {
    return wrong(suffix, value, "is not an amount of memory; write \"4Gi\" or \"512Mi\"");
  }
  request.memory_per_node_mib = static_cast<std::uint64_t>(quantity->value()) >> 20U;
  return {};
}

Result<void> set_minutes(std::string_view suffix, const std::string& value, JobRequest& request) {
  TRY(const std::uint32_t minutes,
      whole_number(suffix, value, "is not a number of minutes; write \"120\""));
  request.time_limit_minutes = minutes;
  return {};
}

Result<void> set_priority(std::string_view suffix, const std::string& value, JobRequest& request) {
  TRY(const std::uint32_t priority,
      whole_number(suffix, value, "is not a whole number of at least 0"));
  request.priority = priority;
  return {};
}

template <auto Field>
Result<void> set_nodes(std::string_view suffix, const std::string& value, JobRequest& request) {
  TRY(const std::uint32_t nodes,
      whole_number(suffix, value, "is not a number of nodes; write \"1\""));
  request.*Field = nodes;
  return {};
}

Result<void> set_exclusive(std::string_view, const std::string& value, JobRequest& request) {
  std::string word;
  for (const char c : value) {
    if (c != ' ' && c != '\t')
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  request.exclusive = word != "false";
  return {};
}

constexpr Rule kRules[] = {
    {"account", set_text<&JobRequest::account>},
    {"constraints", set_text<&JobRequest::constraints>},
    {"cpu-per-task", set_cpus},
    {"exclusive", set_exclusive},
    {"gres", set_text<&JobRequest::tres_per_node>},
    {"group-id", set_text<&JobRequest::group_id>},
    {"job-name", set_text<&JobRequest::name>},
    {"licenses", set_text<&JobRequest::licenses>},
    {"max-nodes", set_nodes<&JobRequest::maximum_nodes>},
    {"mem-per-node", set_memory},
    {"min-nodes", set_nodes<&JobRequest::minimum_nodes>},
    {"partition", set_text<&JobRequest::partition>},
    {"priority", set_priority},
    {"qos", set_text<&JobRequest::qos>},
    {"reservation", set_text<&JobRequest::reservation>},
    {"timelimit", set_minutes},
    {"user-id", set_text<&JobRequest::user_id>},
    {"wckey", set_text<&JobRequest::wckey>},
};

}  // namespace

Result<void> apply_job_annotations(const std::map<std::string, std::string>& annotations,
                                   JobRequest& request) {
  JobRequest changed = request;
  for (const Rule& rule : kRules) {
    const auto found = annotations.find(kJobAnnotationPrefix + std::string(rule.suffix));
    if (found == annotations.end()) continue;
    TRY_VOID(rule.apply(rule.suffix, found->second, changed));
  }
  request = std::move(changed);
  return {};
}

}  // namespace workload
