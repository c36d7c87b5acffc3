// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/custom_config.h"

#include "base/ascii.h"
#include "base/quote.h"
#include "operator/conf/key_tables.h"
#include "operator/conf/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace slurmop::conf {
namespace {

using base::ascii_lower;
using base::Error;
using base::Kind;
using base::quoted;
using base::Result;

Error invalid(std::string message) {
  return {Kind::invalid, std::move(message)};
}

bool is_yes(std::string_view text) {
  const std::string lower = ascii_lower(text);
  return lower == "yes" || lower == "true" || lower == "1";
}

// The rules for one pair: the key is known and the user's, the value has the key's form.
Result<void> check_pair(std::span<const KeySpec> keys, const Pair& pair) {
  const KeySpec* spec = find_key(keys, pair.key.text());
  if (spec == nullptr) {
    const std::string_view near = nearest_key(keys, pair.key.text());
    return invalid(fmt::format("unknown key {}{}",
                               quoted(pair.key.text()),
                               near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
  if (spec->owner == Owner::operator_own) {
    return invalid(
        fmt::format("{} is set by the operator; remove the line ({})", spec->name, spec->remedy));
  }
  if (spec->owner == Owner::forbidden) {
    return invalid(fmt::format("{} cannot be used: {}", spec->name, spec->remedy));
  }
  auto checked = check(*spec, pair.value.text());
  if (!checked.ok()) return std::move(checked).error().in(spec->name);
  return {};
}

// The pairs after the first one of a partition or NodeSet line; `line_keys` are their keys.
Result<void> check_rest(std::span<const KeySpec> line_keys, std::span<const Pair> pairs) {
  std::set<std::string> seen;
  for (const Pair& pair : pairs) {
    TRY_VOID(check_pair(line_keys, pair));
    if (!seen.insert(ascii_lower(pair.key.text())).second) {
      return invalid(fmt::format("{} is set twice on this line", pair.key.text()));
    }
  }
  return {};
}

const Value* find_value(std::span<const Pair> pairs, std::string_view key) {
  for (const Pair& pair : pairs) {
    if (ascii_lower(pair.key.text()) == ascii_lower(key)) return &pair.value;
  }
  return nullptr;
}

bool begins_with(const Line& line, std::string_view key) {
  return ascii_lower(line.first().key.text()) == ascii_lower(key);
}

// Calls the function with the number and the text of each line, without its line break.
template <class Function>
void for_each_line(std::string_view text, Function&& function) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    function(number, line);
  }
}

// The state of one pass over a text.
class Pass {
 public:
  Pass(std::span<const KeySpec> keys, const Surrounding& around) : keys_(keys), around_(around) {}

  CheckedConfig run(std::string_view text) {
    if (text.size() > kMostCustomBytes) {
      report(0,
             fmt::format("it has {} bytes; at most {} are allowed", text.size(), kMostCustomBytes));
      return std::move(out_);
    }
    own_node_sets_ = defined_node_sets(text);
    for_each_line(text, [this](std::size_t number, std::string_view line) {
      auto checked = take(number, line);
      if (!checked.ok()) report(number, checked.error().message());
    });
    if (left_off_ > 0) {
      out_.problems.push_back({0, fmt::format("{} more problems are not shown", left_off_)});
    }
    return std::move(out_);
  }

 private:
  void report(std::size_t line, std::string message) {
    if (out_.problems.size() < kMostProblems)
      out_.problems.push_back({line, std::move(message)});
    else
      ++left_off_;
  }

  Result<void> take(std::size_t number, std::string_view text) {
    TRY(std::optional<Line> line, read_line(text));
    if (!line) return {};
    const Pair& first = line->first();
    TRY_VOID(check_pair(keys_, first));
    const std::string key = ascii_lower(first.key.text());
    if (key == "partitionname") {
      TRY_VOID(check_partition(number, *line));
    } else if (key == "nodeset") {
      TRY_VOID(check_node_set(number, *line));
    } else {
      TRY_VOID(check_single(number, *line));
    }
    out_.config.lines.push_back(std::move(*line));
    return {};
  }

  Result<void> check_single(std::size_t number, const Line& line) {
    const Pair& first = line.first();
    if (line.pairs().size() > 1) {
      return invalid(fmt::format("{} starts a second key; write one key per line",
                                 quoted(line.pairs()[1].key.text())));
    }
    TRY_VOID(check_tracking(first));
    const KeySpec* spec = find_key(keys_, first.key.text());
    if (spec->repeats) return {};
    return once(number, fmt::format("{}", spec->name), ascii_lower(spec->name));
  }

  Result<void> check_tracking(const Pair& pair) const {
    if (around_.tracking == ProcessTracking::cgroup || !pair.value.text().contains("cgroup")) {
      return {};
    }
    const std::string key = ascii_lower(pair.key.text());
    if (key != "taskplugin" && key != "jobacctgathertype") return {};
    return invalid(fmt::format(
        "{}={} needs cgroups, and the workers of this cluster have none; use privileged workers",
        pair.key.text(),
        pair.value.text()));
  }

  Result<void> check_node_set(std::size_t number, const Line& line) {
    const std::string& name = line.first().value.text();
    TRY_VOID(check_rest(node_set_keys(), std::span(line.pairs()).subspan(1)));
    if (around_.node_sets.contains(name)) {
      return invalid(
          fmt::format("NodeSet {} is defined by the operator; choose another name", name));
    }
    if (find_value(line.pairs(), "Feature") == nullptr) {
      return invalid(fmt::format("NodeSet {} has no Feature", name));
    }
    return once(number, fmt::format("NodeSet {}", name), fmt::format("nodeset {}", name));
  }

  Result<void> check_partition(std::size_t number, const Line& line) {
    const std::string& name = line.first().value.text();
    TRY_VOID(check_rest(partition_keys(), std::span(line.pairs()).subspan(1)));
    const Value* nodes = find_value(line.pairs(), "Nodes");
    if (nodes != nullptr) TRY_VOID(check_partition_nodes(nodes->text()));
    if (ascii_lower(name) == "default") return {};  // defaults for the partitions that follow
    if (around_.partitions.contains(name)) {
      return invalid(fmt::format(
          "partition {} is defined by spec.partitionConfiguration; choose another name", name));
    }
    TRY_VOID(once(number, fmt::format("partition {}", name), fmt::format("partition {}", name)));
    if (!sets_default(line.pairs())) return {};
    if (around_.has_default_partition) {
      return invalid(
          fmt::format("partition {} cannot be the default: the operator's partition is", name));
    }
    return once(number, "a default partition", "default partition");
  }

  Result<void> check_partition_nodes(std::string_view text) const {
    if (!around_.knows_node_sets) return {};
    std::string_view rest = text;
    while (true) {
      const std::string_view name = rest.substr(0, rest.find(','));
      const bool known = name == "ALL" || around_.node_sets.contains(std::string(name)) ||
                         own_node_sets_.contains(std::string(name));
      if (!known) {
        return invalid(fmt::format(
            "Nodes: {} is neither ALL nor a NodeSet (slurmctld would not start)", quoted(name)));
      }
      if (name.size() == rest.size()) return {};
      rest.remove_prefix(name.size() + 1);
    }
  }

  // `identity` may occur on one line only.
  Result<void> once(std::size_t number, std::string what, std::string identity) {
    const auto [place, is_new] = lines_of_.emplace(std::move(identity), number);
    if (is_new) return {};
    return invalid(
        fmt::format("{} is already set on line {}; remove one of the two", what, place->second));
  }

  std::span<const KeySpec> keys_;
  const Surrounding& around_;
  std::set<std::string> own_node_sets_;  // a partition may stand before the NodeSet that it names
  std::map<std::string, std::size_t> lines_of_;
  std::size_t left_off_ = 0;
  CheckedConfig out_;
};

}  // namespace

const Line* CustomConfig::find(std::string_view key) const {
  const auto found =
      std::ranges::find_if(lines, [&](const Line& line) { return begins_with(line, key); });
  return found == lines.end() ? nullptr : &*found;
}

void Surrounding::add(const CustomConfig& partition_lines) {
  for (const Line& line : partition_lines.lines) {
    if (!begins_with(line, "PartitionName")) continue;
    partitions.insert(line.first().value.text());
    has_default_partition |= sets_default(line.pairs());
  }
}

std::set<std::string> defined_node_sets(std::string_view text) {
  std::set<std::string> names;
  for_each_line(text, [&names](std::size_t, std::string_view line) {
    const auto read = read_line(line);
    if (!read.ok() || !*read || !begins_with(**read, "NodeSet")) return;
    names.insert((*read)->first().value.text());
  });
  return names;
}

bool sets_default(std::span<const Pair> pairs) {
  const Value* value = find_value(pairs, "Default");
  return value != nullptr && is_yes(value->text());
}

CheckedConfig check_custom_slurm_config(std::string_view text, const Surrounding& around) {
  return Pass(slurm_keys(), around).run(text);
}

CheckedConfig check_custom_cgroup_config(std::string_view text) {
  const Surrounding none{.tracking = ProcessTracking::cgroup};
  return Pass(cgroup_keys(), none).run(text);
}

CheckedConfig check_partition_lines(std::span<const std::string> lines, const Surrounding& around) {
  CheckedConfig out;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto read = read_line(lines[i]);
    // An error of read_line is reported below, except the line break that would hide it.
    const bool is_line = !read.ok() || (*read && begins_with(**read, "PartitionName"));
    if (lines[i].contains('\n') || !is_line) {
      out.problems.push_back({i + 1, "it is not one line that begins with PartitionName="});
    }
    text.append(lines[i]).append("\n");
  }
  return out.ok() ? check_custom_slurm_config(text, around) : out;
}

Result<std::vector<Pair>> check_partition_options(std::string_view text) {
  TRY(std::optional<Line> line, read_line(text));
  if (!line) return std::vector<Pair>();
  for (const std::string_view owned : {"Nodes", "PartitionName"}) {
    if (find_value(line->pairs(), owned) != nullptr) {
      return invalid(fmt::format("{} is set by the operator; remove it", owned));
    }
  }
  TRY_VOID(check_rest(partition_keys(), line->pairs()));
  return line->pairs();
}

Result<std::vector<Pair>> check_node_options(std::string_view text) {
  TRY(std::optional<Line> line, read_line(text));
  if (!line) return std::vector<Pair>();
  std::vector<Pair> pairs = line->pairs();
  for (Pair& pair : pairs) {
    if (ascii_lower(pair.key.text()) == "nodecpus") {
      TRY(pair.key, Key::parse("CPUs"));
    }
    const KeySpec* spec = find_key(node_keys(), pair.key.text());
    if (spec == nullptr || spec->owner != Owner::operator_own) continue;
    return invalid(
        fmt::format("{} is set by the operator; remove it ({})", spec->name, spec->remedy));
  }
  TRY_VOID(check_rest(node_keys(), pairs));
  return pairs;
}

std::string to_string(const Problem& problem, std::string_view field) {
  if (problem.line == 0) return fmt::format("{}: {}", field, problem.message);
  return fmt::format("{} line {}: {}", field, problem.line, problem.message);
}

}  // namespace slurmop::conf
