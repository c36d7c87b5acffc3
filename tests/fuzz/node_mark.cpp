// SPDX-License-Identifier: Apache-2.0
// The comment of a Slurm node, which shows whether the bridge registered it. Every user who may
// change nodes in Slurm can write one.
#include "bridge/nodes/mark.h"
#include "fuzz/check.h"
#include "json/value.h"

namespace {

using bridge::nodes::NodeMark;
using fuzz::check;

void survives(const NodeMark& mark) {
  const std::string text = bridge::nodes::mark_text(mark);
  check(!text.contains('\n'), "a mark is one line");
  const auto again = bridge::nodes::read_mark(text);
  check(again.has_value() && *again == mark, "a written mark reads as the same");
}

void comment(std::string_view text) {
  const auto mark = bridge::nodes::read_mark(text);
  if (!mark) return;
  check(!mark->cluster.empty(), "a mark names its cluster");
  check(text.contains("slurm-bridge") || text.contains('\\'), "and has our key");
  survives(*mark);
}

// Lines: cluster, node, devices.
void written(std::string_view text) {
  auto lines = fuzz::parts(text, '\n');
  lines.resize(3);
  const auto line = [&](std::size_t i) { return base::repair_utf8(std::string(lines[i])); };
  if (lines[0].empty()) return;
  survives(
      {line(0), line(1), static_cast<std::uint32_t>(text.size()), text.size() << 20U, line(2)});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  comment(text);
  written(text);
  return 0;
}
