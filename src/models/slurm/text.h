// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace models::slurm {

// Appends JSON text, member by member, in slurmrestd's format (numbers that may be absent are
// objects). Begin and end calls must match.
class SlurmText {
 public:
  explicit SlurmText(std::string& out) : out_(out) {}

  void begin_object() { open('{'); }
  void begin_object(std::string_view key) { open(key, '{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void begin_array(std::string_view key) { open(key, '['); }
  void end_array() { close(']'); }

  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, std::int64_t value);
  void boolean(std::string_view key, bool value);
  void raw(std::string_view key, std::string_view json);
  // Members that are already JSON text: "a":1,"b":2
  void members(std::string_view json);
  void texts(std::string_view key, std::span<const std::string_view> values);

  // {"set", "infinite", "number"}
  void set(std::string_view key, std::int64_t value);
  void zero(std::string_view key) { set(key, 0); }
  void unset(std::string_view key);
  void infinite(std::string_view key);

  // An element of an array.
  void element(std::string_view value);

 private:
  void open(char bracket);
  void open(std::string_view key, char bracket);
  void close(char bracket);
  void comma();
  void begin(std::string_view key);

  std::string& out_;
  bool first_ = true;
};

// An entry of errors[].
struct SlurmError {
  std::string description;
  int number = 0;
  std::string source;
  std::string error{};  // empty: Slurm's text for the number
};

// An entry of warnings[].
struct SlurmWarning {
  std::string description;
  std::string source;
};

struct SlurmComplaints {
  std::vector<SlurmError> errors;
  std::vector<SlurmWarning> warnings;
};

void write_errors(SlurmText& out, const std::vector<SlurmError>& errors);
void write_warnings(SlurmText& out, const std::vector<SlurmWarning>& warnings);

}  // namespace models::slurm
