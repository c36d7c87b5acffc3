// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/http_wire/http.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace models::slurm {

// A request as slurmrestd parses it: /slurm/VERSION/path...?query. Views into the request.
struct SlurmCall {
  std::string_view method;
  std::string_view version;
  std::vector<std::string_view> path;                           // without empty segments
  std::vector<std::pair<std::string_view, std::string>> query;  // values are decoded
  bool raw_comma = false;                                       // in a query value, not encoded
  std::string user;  // the user of the request: a name, or SlurmUser
  std::string_view body;

  bool admin() const { return user == "slurm" || user == "root"; }
  bool is(std::string_view wanted_method, std::string_view wanted_path) const;
  std::optional<std::string_view> find(std::string_view key) const;
};

// Empty if the target is not a path of Slurm.
std::optional<SlurmCall> read_call(const net::http::Request& request);

// The id in a path or a query.
std::optional<std::uint32_t> read_job_id(std::string_view text);

}  // namespace models::slurm
