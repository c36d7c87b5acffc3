// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace slurmop::conf {

// A key of a Slurm configuration file: a letter, then letters, digits, '_' or '.'. Slurm compares
// keys without case. `Include` is not a key: it would read another file.
class Key {
 public:
  static base::Result<Key> parse(std::string_view text);

  const std::string& text() const { return text_; }
  friend bool operator==(const Key&, const Key&) = default;

 private:
  explicit Key(std::string_view text) : text_(text) {}

  std::string text_;
};

// A value of a Slurm configuration file.
//
// Guarantees  a value that exists is read by Slurm's parser as exactly this one value: it starts no
//             new line, no second key, no comment, and continues no line. So it has printable ASCII
//             only, no '"', '#' or '\', no blank at an end, and no blank followed by `Word=`.
// Does not    know what the key means; key_table.h checks that.
class Value {
 public:
  static base::Result<Value> parse(std::string_view text);

  const std::string& text() const { return text_; }
  // The form in a file: in double quotes if the text has blanks.
  std::string rendered() const;
  friend bool operator==(const Value&, const Value&) = default;

 private:
  explicit Value(std::string_view text) : text_(text) {}

  std::string text_;
};

// Our limit; Slurm's parser read a value of 100000 characters (tried with 26.05.5).
inline constexpr std::size_t kLongestValue = 16384;

}  // namespace slurmop::conf
