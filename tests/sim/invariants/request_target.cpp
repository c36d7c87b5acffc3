// SPDX-License-Identifier: Apache-2.0
#include "request_target.h"

#include "base/integer.h"

#include <vector>

namespace sim {
namespace {

std::vector<std::string> segments(std::string_view path) {
  path = path.substr(0, path.find('?'));
  std::vector<std::string> all;
  while (!path.empty()) {
    path.remove_prefix(path.starts_with('/') ? 1 : 0);
    const auto end = std::min(path.find('/'), path.size());
    if (end > 0) all.emplace_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return all;
}

std::optional<std::uint32_t> job_of(const Request& request, std::string_view method) {
  if (request.system != System::slurm || request.http.method != method) return std::nullopt;
  const auto parts = segments(request.http.target);  // slurm, version, job, id
  if (parts.size() != 4 || parts[0] != "slurm" || parts[2] != "job") return std::nullopt;
  const auto id = base::parse_integer<std::uint32_t>(parts[3]);
  if (!id.ok()) return std::nullopt;
  return *id;
}

}  // namespace

std::optional<std::uint32_t> cancelled_job(const Request& request) {
  return job_of(request, "DELETE");
}

std::optional<std::uint32_t> read_job(const Request& request) {
  return job_of(request, "GET");
}

std::optional<Target> target_of(const Request& request) {
  if (request.system != System::kube) return std::nullopt;
  auto parts = segments(request.http.target);
  const std::size_t api = !parts.empty() && parts[0] == "apis" ? 3 : 2;
  if (parts.size() < api + 1) return std::nullopt;
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(api));
  Target target;
  if (parts[0] == "namespaces" && parts.size() > 2) {
    target.ns = parts[1];
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  target.plural = parts[0];
  if (parts.size() > 1) target.name = parts[1];
  if (parts.size() > 2) target.subresource = parts[2];
  return target;
}

}  // namespace sim
