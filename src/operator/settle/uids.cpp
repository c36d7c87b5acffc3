// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"
#include "base/integer.h"
#include "operator/settle/cluster.h"

#include <fmt/format.h>

#include <algorithm>

namespace slurmop::settle {
namespace {

void read_line(std::string_view line, std::map<std::string, std::uint32_t>& out) {
  const std::size_t blank = line.find(' ');
  if (blank == 0 || blank == std::string_view::npos) return;
  const std::string_view number = line.substr(blank + 1);
  if (!std::ranges::all_of(number, base::is_digit)) return;
  const auto uid = base::parse_integer<std::uint32_t>(number);
  if (uid.ok()) out.emplace(line.substr(0, blank), *uid);
}

}  // namespace

std::map<std::string, std::uint32_t> read_uids(std::string_view text) {
  std::map<std::string, std::uint32_t> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    read_line(text.substr(0, end), out);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string write_uids(const std::map<std::string, std::uint32_t>& uids) {
  std::string text;
  for (const auto& [name, uid] : uids) text += fmt::format("{} {}\n", name, uid);
  return text;
}

}  // namespace slurmop::settle
