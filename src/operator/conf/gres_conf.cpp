// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/gres_conf.h"

#include "operator/conf/draft.h"
#include "operator/conf/key_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace slurmop::conf {
namespace {

// A device path with ranges: /dev/nvidia[0-7]. It is a path once the range is taken away.
void check_device(Draft& draft, const std::string& file) {
  std::string plain;
  for (const char c : file) plain.push_back(c == '[' || c == ']' || c == ',' ? '-' : c);
  const KeySpec spec{.name = "File", .form = Form::path};
  auto checked = check(spec, plain);
  if (!checked.ok()) draft.fail(std::move(checked).error().in("File"));
}

void set_devices(Draft& draft, const GresLine& line) {
  std::vector<std::pair<std::string_view, std::string>> pairs;
  if (!line.nodes.empty()) pairs.emplace_back("NodeName", line.nodes);
  pairs.emplace_back("Name", line.name);
  if (!line.type.empty()) pairs.emplace_back("Type", line.type);
  if (!line.file.empty()) {
    check_device(draft, line.file);
    pairs.emplace_back("File", line.file);
  }
  if (line.count) pairs.emplace_back("Count", std::to_string(*line.count));
  if (!line.cores.empty()) pairs.emplace_back("Cores", line.cores);
  if (!line.flags.empty())
    pairs.emplace_back("Flags", fmt::format("{}", fmt::join(line.flags, ",")));
  draft.set_line(gres_keys(), pairs);
}

}  // namespace

base::Result<File> render_gres_conf(const GresConf& input) {
  Draft draft(gres_keys());
  draft.comment("Written by slurm-operator; change the SlurmCluster resource instead");
  if (!input.auto_detect.empty()) draft.set("AutoDetect", input.auto_detect);
  for (const GresLine& line : input.lines) set_devices(draft, line);
  return draft.finish("gres.conf");
}

}  // namespace slurmop::conf
