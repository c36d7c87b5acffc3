// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string>
#include <string_view>

// Reads and edits slurm.conf line by line, for files that the operator has written. All functions
// are pure.
namespace slurmop::agent {

// The key of a line in lower case; empty for a comment and an empty line.
std::string key_of(std::string_view line);
// The value of the last line with that key, as Slurm uses it; empty if there is none. `key` in any
// case.
std::string value_of(std::string_view conf, std::string_view key);
// The parts of a text between separators, as views of it.
inline auto parts_of(std::string_view text, char separator) {
  return text | std::views::split(separator) | std::views::transform([](auto part) {
           return std::string_view(part.begin(), part.end());
         });
}

// The number of the only line with that key, counted from 1; 0 if there is none or several.
std::size_t line_of(std::string_view conf, std::string_view key);

// The port that slurmctld listens on; the first one of a range.
std::uint16_t slurmctld_port(std::string_view conf);
// The account that slurmctld runs as.
std::string slurm_user(std::string_view conf);
// The file with the key that signs JWTs; empty if slurmctld does not accept JWTs.
std::string jwt_key_file(std::string_view conf);

// The text with empty lines in the place of those whose key (in lower case) `drops` selects. A line
// that ends in a backslash continues on the next one and is dropped with it.
std::string without_lines(std::string_view conf,
                          const std::function<bool(std::string_view key)>& drops);

// SlurmctldHost for a slurmctld on this machine, reached by the loopback address.
std::string local_controller_line(std::string_view host);

// Whether the key says where slurmctld is.
bool is_controller_place(std::string_view key);

// slurm.conf for commands on the machine of slurmctld: they reach it by the loopback address and
// need neither DNS nor the Service.
std::string local_client_conf(std::string_view conf, std::string_view host);

}  // namespace slurmop::agent
