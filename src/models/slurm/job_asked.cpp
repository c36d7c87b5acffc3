// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/job_asked.h"

#include "base/integer.h"
#include "models/slurm/hosts.h"
#include "models/slurm/job_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace models::slurm {
namespace {

using json::Node;
using json::Type;

template <class T>
struct Field {
  std::string_view name;
  std::optional<T> JobAsked::* member;
};

constexpr Field<std::string> kTexts[] = {
    {"account", &JobAsked::account},
    {"admin_comment", &JobAsked::admin_comment},
    {"array", &JobAsked::array},
    {"comment", &JobAsked::comment},
    {"constraints", &JobAsked::constraints},
    {"dependency", &JobAsked::dependency},
    {"extra", &JobAsked::extra},
    {"group_id", &JobAsked::group_id},
    {"licenses", &JobAsked::licenses},
    {"mcs_label", &JobAsked::mcs_label},
    {"name", &JobAsked::name},
    {"nodes", &JobAsked::nodes},
    {"partition", &JobAsked::partition},
    {"qos", &JobAsked::qos},
    {"reservation", &JobAsked::reservation},
    {"script", &JobAsked::script},
    {"tres_per_node", &JobAsked::tres_per_node},
    {"user_id", &JobAsked::user_id},
};

constexpr Field<std::uint32_t> kCounts[] = {
    {"cpus_per_task", &JobAsked::cpus_per_task},
    {"maximum_nodes", &JobAsked::maximum_nodes},
    {"minimum_cpus", &JobAsked::minimum_cpus},
    {"minimum_nodes", &JobAsked::minimum_nodes},
    {"tasks", &JobAsked::tasks},
    {"tasks_per_node", &JobAsked::tasks_per_node},
};

constexpr Field<AskedNumber> kNumbers[] = {
    {"memory_per_node", &JobAsked::memory_per_node},
    {"priority", &JobAsked::priority},
    {"time_limit", &JobAsked::time_limit},
};

constexpr Field<std::vector<std::string>> kLists[] = {
    {"excluded_nodes", &JobAsked::excluded_nodes},
    {"required_nodes", &JobAsked::required_nodes},
};

std::string_view slurm_type(Type type) {
  switch (type) {
    case Type::null: return "null";
    case Type::boolean: return "boolean";
    case Type::integer: return "64 bit integer";
    case Type::number: return "floating point number";
    case Type::string: return "string";
    case Type::array: return "list";
    case Type::object: return "dictionary";
  }
  return "";
}

std::string_view openapi_type(Type type) {
  switch (type) {
    case Type::null: return "null";
    case Type::boolean: return "boolean";
    case Type::integer: return "integer";
    case Type::number: return "number";
    case Type::string: return "string";
    case Type::array: return "array";
    case Type::object: return "object";
  }
  return "";
}

class Reader {
 public:
  Reader(JobAsked& asked, std::string_view path) : asked_(asked), path_(path) {}

  void member(std::string_view key, const Node& value) {
    if (value.is_null()) return;
    if (const auto* field = find(kTexts, key)) return text(*field, value);
    if (const auto* field = find(kCounts, key)) return count(*field, value);
    if (const auto* field = find(kNumbers, key)) return number(*field, value);
    if (const auto* field = find(kLists, key)) return list(*field, value);
    if (key == "hold") return hold(value);
    if (key == "flags") return flags(value);
    if (key == "shared") return shared(value);
    if (is_other_job_field(key)) return;
    warn_unknown(asked_.complaints.warnings,
                 "DATA_PARSER_JOB_DESC_MSG",
                 fmt::format("{}{}/", path_, key),
                 {key, value});
  }

 private:
  template <class T, std::size_t N>
  static const Field<T>* find(const Field<T> (&fields)[N], std::string_view key) {
    const auto found = std::ranges::find(fields, key, &Field<T>::name);
    return found == std::end(fields) ? nullptr : &*found;
  }

  void warn(std::string_view place, std::string_view expected, const Node& got) {
    asked_.complaints.warnings.push_back(
        {fmt::format("Expected OpenAPI type={} but got OpenAPI type={} (Slurm type={}): {}",
                     expected,
                     openapi_type(got.type()),
                     slurm_type(got.type()),
                     got.to_value().dump()),
         fmt::format("{}{}/", path_, place)});
  }

  void text(const Field<std::string>& field, const Node& value) {
    if (const auto text = value.as_string()) {
      asked_.*field.member = std::string(*text);
      return;
    }
    warn(field.name, "string (Slurm type=string)", value);
    asked_.*field.member = value.to_value().dump();
  }

  // An integer, or a string with an integer; a string causes a warning.
  std::optional<std::int64_t> integer(std::string_view place,
                                      std::string_view expected,
                                      const Node& value) {
    if (const auto plain = value.as_int()) return plain;
    warn(place, expected, value);
    const auto read = base::parse_integer<std::int64_t>(value.as_string().value_or(""));
    if (read.ok()) return *read;
    asked_.readable = false;
    return std::nullopt;
  }

  void count(const Field<std::uint32_t>& field, const Node& value) {
    const auto read =
        integer(field.name, "integer format=int32 (Slurm type=64 bit integer)", value);
    if (read) asked_.*field.member = static_cast<std::uint32_t>(*read);
  }

  void number(const Field<AskedNumber>& field, const Node& value) {
    if (value.type() == Type::object) return number_object(field, value);
    if (const auto plain = value.as_int()) {
      asked_.*field.member = AskedNumber{false, *plain};
      return;
    }
    const std::string_view text = value.as_string().value_or("");
    if (const auto read = base::parse_integer<std::int64_t>(text); read.ok()) {
      asked_.*field.member = AskedNumber{false, *read};
      return;
    }
    asked_.readable = false;
    asked_.complaints.errors.push_back(
        {fmt::format("Expected integer but got {}", value.to_value().dump()),
         9202,
         fmt::format("{}{}/", path_, field.name)});
  }

  void number_object(const Field<AskedNumber>& field, const Node& value) {
    const auto truth = [&](std::string_view key) {
      const auto member = value.find(key);
      return member ? member->as_bool() : std::nullopt;
    };
    AskedNumber read;
    read.infinite = truth("infinite").value_or(false);
    if (const auto inner = value.find("number")) {
      const auto plain = integer(fmt::format("{}/number", field.name),
                                 "integer format=int64 (Slurm type=64 bit integer)",
                                 *inner);
      if (!plain) return;
      read.number = *plain;
    }
    if (truth("set").value_or(true) || read.infinite) asked_.*field.member = read;
  }

  void list(const Field<std::vector<std::string>>& field, const Node& value) {
    std::vector<std::string> names;
    const auto add = [&](std::string_view some) {
      auto expanded = expand_hostlist(some);
      if (!expanded.ok()) return names.emplace_back(some), void();
      std::ranges::move(*expanded, std::back_inserter(names));
    };
    if (const auto text = value.as_string()) {
      warn(field.name, "array (Slurm type=list)", value);
      add(*text);
    }
    value.each_element([&](Node element) {
      add(element.as_string().value_or(""));
      return true;
    });
    asked_.*field.member = std::move(names);
  }

  void hold(const Node& value) {
    if (!value.as_bool()) warn("hold", "boolean (Slurm type=boolean)", value);
    asked_.hold = value.as_bool().value_or(value.as_string() != "no");
  }

  void flags(const Node& value) {
    std::size_t index = 0;
    const auto add = [&](std::string_view flag) {
      if (flag == "EXTERNAL_JOB") asked_.external = true;
      if (!is_job_flag(flag)) {
        asked_.complaints.errors.push_back({fmt::format("Unknown flag \"{}\"", flag),
                                            9207,
                                            fmt::format("{}flags[{}]/", path_, index)});
      }
      ++index;
    };
    if (const auto text = value.as_string()) add(*text);
    value.each_element([&](Node element) {
      add(element.as_string().value_or(""));
      return true;
    });
  }

  void shared(const Node& value) {
    const auto add = [&](const Node& one) { asked_.exclusive |= one.as_string() == "none"; };
    add(value);
    value.each_element([&](Node element) {
      add(element);
      return true;
    });
  }

  JobAsked& asked_;
  std::string_view path_;
};

}  // namespace

JobAsked read_job_asked(const Node& object, std::string_view path) {
  JobAsked asked;
  Reader reader(asked, path);
  object.each_member([&](std::string_view key, Node value) {
    reader.member(key, value);
    return true;
  });
  return asked;
}

void warn_unknown(std::vector<SlurmWarning>& warnings,
                  std::string_view parser,
                  const std::string& source,
                  const std::pair<std::string_view, Node>& member) {
  const auto& [key, value] = member;
  if (value.type() == Type::object) {
    value.each_member([&](std::string_view inner, Node inner_value) {
      warn_unknown(warnings, parser, fmt::format("{}{}/", source, inner), {inner, inner_value});
      return true;
    });
    return;
  }
  if (value.is_null()) return;
  warnings.push_back(
      {fmt::format(
           "Ignoring unknown field \"{}\" of type {} in {}", key, slurm_type(value.type()), parser),
       source});
}

}  // namespace models::slurm
