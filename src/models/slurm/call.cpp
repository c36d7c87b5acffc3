// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/call.h"

#include "base/integer.h"

#include <algorithm>
#include <charconv>

namespace models::slurm {
namespace {

std::string decoded(std::string_view text) {
  if (!text.contains('%')) return std::string(text);
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ec == std::errc()) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// Calls visit with each non-empty part between separators.
template <class F>
void each_part(std::string_view text, char separator, F&& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

bool SlurmCall::is(std::string_view wanted_method, std::string_view wanted_path) const {
  if (method != wanted_method) return false;
  std::size_t at = 0;
  bool same = true;
  each_part(wanted_path, '/', [&](std::string_view part) {
    same = same && at < path.size() && (part == "*" || part == path[at]);
    ++at;
  });
  return same && at == path.size();
}

std::optional<std::string_view> SlurmCall::find(std::string_view key) const {
  for (const auto& [name, value] : query) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::optional<SlurmCall> read_call(const net::http::Request& request) {
  SlurmCall call;
  call.method = request.method;
  call.body = request.body;
  call.user = request.header("X-SLURM-USER-NAME").value_or("slurm");
  const std::string_view target = request.target;
  const std::size_t question = std::min(target.find('?'), target.size());
  call.path.reserve(6);
  each_part(target.substr(0, question), '/', [&](auto part) { call.path.push_back(part); });
  if (call.path.size() < 2 || call.path[0] != "slurm") return std::nullopt;
  call.version = call.path[1];
  call.path.erase(call.path.begin(), call.path.begin() + 2);
  const std::string_view query = question < target.size() ? target.substr(question + 1) : "";
  call.query.reserve(static_cast<std::size_t>(std::ranges::count(query, '&')) + 1);
  each_part(query, '&', [&](std::string_view part) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto value = part.substr(std::min(equals + 1, part.size()));
    call.raw_comma |= value.contains(',');
    call.query.emplace_back(part.substr(0, equals), decoded(value));
  });
  return call;
}

std::optional<std::uint32_t> read_job_id(std::string_view text) {
  const auto id = base::parse_integer<std::uint32_t>(text);
  if (!id.ok() || *id == 0) return std::nullopt;
  return *id;
}

}  // namespace models::slurm
