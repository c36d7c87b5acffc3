// SPDX-License-Identifier: Apache-2.0
#include "workload/job_annotations.h"

#include "base/integer.h"
#include "base/nearest.h"
#include "base/quantity.h"
#include "base/quote.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

// Slurm and the reference are limited to 31 bits.
Result<std::uint32_t> whole_number(std::string_view suffix,
                                   const std::string& value,
                                   std::int32_t least,
                                   std::string_view remedy) {
  const auto number = base::parse_integer<std::int32_t>(value);
  if (!number.ok() || *number < least) return wrong(suffix, value, remedy);
  return static_cast<std::uint32_t>(*number);
}

// Slurm's text fields are passed unchanged, except characters that no Slurm name contains.
Result<void> text(std::string JobRequest::* field,
                  std::string_view suffix,
                  const std::string& value,
                  JobRequest& request) {
  constexpr std::size_t kLongest = 1024;
  const bool printable =
      std::ranges::none_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (!printable) {
    return wrong(
        suffix, value, "contains a line break or another control character; write it on one line");
  }
  if (value.size() > kLongest) return wrong(suffix, value, "is longer than 1024 bytes");
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

// Less than a mebibyte would be sent as 0, which Slurm reads as all memory of the node.
Result<void> set_memory(std::string_view suffix, const std::string& value, JobRequest& request) {
  constexpr std::int64_t kMebibyte = 1 << 20;
  const auto quantity = base::Quantity::parse(value);
  if (!quantity.ok())
    return wrong(suffix, value, "is not an amount of memory; write \"4Gi\" or \"512Mi\"");
  if (quantity->value() < kMebibyte)
    return wrong(suffix, value, "is less than 1Mi (it is in bytes); write \"4Gi\" or \"512Mi\"");
  request.memory_per_node_mib = static_cast<std::uint64_t>(quantity->value() / kMebibyte);
  return {};
}

Result<void> set_minutes(std::string_view suffix, const std::string& value, JobRequest& request) {
  TRY(request.time_limit_minutes,
      whole_number(suffix, value, 1, "is not a number of minutes; write \"120\""));
  return {};
}

Result<void> set_priority(std::string_view suffix, const std::string& value, JobRequest& request) {
  TRY(request.priority,
      whole_number(suffix, value, 0, "is not a whole number from 0 to 2147483647"));
  return {};
}

template <auto Field>
Result<void> set_nodes(std::string_view suffix, const std::string& value, JobRequest& request) {
  TRY(request.*Field, whole_number(suffix, value, 1, "is not a number of nodes; write \"1\""));
  return {};
}

std::string trimmed_word(std::string_view value) {
  std::string word;
  for (const char c : value) {
    if (c != ' ' && c != '\t')
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return word;
}

// The reference treats every value except "false" as "true". An author who wrote "no" or "0" would
// get a whole node without having requested one.
Result<void> set_exclusive(std::string_view suffix, const std::string& value, JobRequest& request) {
  const std::string word = trimmed_word(value);
  if (word != "true" && word != "false")
    return wrong(suffix, value, "is neither \"true\" nor \"false\"; write one of them");
  request.exclusive = word == "true";
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

const Rule* rule_for(std::string_view suffix) {
  const auto* found = std::ranges::find(kRules, suffix, &Rule::suffix);
  return found == std::end(kRules) ? nullptr : found;
}

const std::string* value_of(const Annotations& annotations, std::string_view suffix) {
  const auto found = annotations.find(kJobAnnotationPrefix + std::string(suffix));
  return found == annotations.end() ? nullptr : &found->second;
}

// Checks the result of the annotations and of the defaults.
Result<void> check_node_range(const Annotations& annotations, const JobRequest& request) {
  const std::string* least = value_of(annotations, "min-nodes");
  const std::string* most = value_of(annotations, "max-nodes");
  if (least == nullptr || !request.minimum_nodes || !request.maximum_nodes ||
      *request.minimum_nodes <= *request.maximum_nodes) {
    return {};
  }
  if (most == nullptr) {
    return wrong("min-nodes",
                 *least,
                 fmt::format("is more than {}, the maximum without {}max-nodes; set that "
                             "annotation too, or neither",
                             *request.maximum_nodes,
                             kJobAnnotationPrefix));
  }
  return wrong("min-nodes",
               *least,
               fmt::format("is more than max-nodes, {}; lower min-nodes or raise max-nodes",
                           base::quoted(*most)));
}

std::string unknown_name(std::string_view suffix) {
  const auto close = base::nearest(suffix, job_annotation_suffixes());
  return fmt::format(
      "annotation {} is unknown and has no effect{}",
      base::quoted(kJobAnnotationPrefix + std::string(suffix)),
      close ? fmt::format("; did you mean {}{}?", kJobAnnotationPrefix, *close) : std::string());
}

// Until 0.4 the reference read the names without "slurmjob.".
std::string old_name(std::string_view suffix) {
  return fmt::format("annotation {1}{0} has no effect; its new name is {2}{0}",
                     suffix,
                     kOldJobAnnotationPrefix,
                     kJobAnnotationPrefix);
}

void check_one(std::string_view suffix,
               const std::string& value,
               JobRequest& request,
               std::vector<AnnotationProblem>& problems) {
  using enum AnnotationProblem::Weight;
  const Rule* rule = rule_for(suffix);
  if (rule == nullptr) {
    problems.push_back({warning, unknown_name(suffix)});
    return;
  }
  if (const auto applied = rule->apply(suffix, value, request); !applied.ok())
    problems.push_back({error, applied.error().message()});
}

}  // namespace

std::vector<std::string_view> job_annotation_suffixes() {
  std::vector<std::string_view> suffixes;
  for (const Rule& rule : kRules) suffixes.push_back(rule.suffix);
  return suffixes;
}

std::vector<AnnotationProblem> check_job_annotations(const Annotations& annotations) {
  using enum AnnotationProblem::Weight;
  std::vector<AnnotationProblem> problems;
  JobRequest request;
  for (const auto& [name, value] : annotations) {
    const std::string_view whole = name;
    if (whole.starts_with(kJobAnnotationPrefix)) {
      check_one(whole.substr(kJobAnnotationPrefix.size()), value, request, problems);
    } else if (whole.starts_with(kOldJobAnnotationPrefix)) {
      const std::string_view suffix = whole.substr(kOldJobAnnotationPrefix.size());
      if (rule_for(suffix) != nullptr) problems.push_back({warning, old_name(suffix)});
    }
  }
  if (const auto range = check_node_range(annotations, request); !range.ok())
    problems.push_back({error, range.error().message()});
  return problems;
}

Result<void> apply_job_annotations(const Annotations& annotations, JobRequest& request) {
  JobRequest changed = request;
  for (const Rule& rule : kRules) {
    const std::string* value = value_of(annotations, rule.suffix);
    if (value != nullptr) TRY_VOID(rule.apply(rule.suffix, *value, changed));
  }
  TRY_VOID(check_node_range(annotations, changed));
  request = std::move(changed);
  return {};
}

}  // namespace workload
