// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/conf/key_spec.h"

#include <cstdint>
#include <span>
#include <string_view>

// Short constructors for the rows of the key tables.
namespace slurmop::conf::row {

using Words = std::span<const std::string_view>;

// Slurm reserves the two highest numbers of each width.
inline constexpr std::uint64_t kMost16 = 65533;
inline constexpr std::uint64_t kMost32 = 4294967293;
inline constexpr std::uint64_t kMost64 = 18446744073709551613U;

constexpr KeySpec plain(std::string_view name, Form form) {
  return {.name = name, .form = form};
}
constexpr KeySpec number(std::string_view name, std::uint64_t least, std::uint64_t most) {
  return {.name = name, .form = Form::number, .least = least, .most = most};
}
constexpr KeySpec limit(std::string_view name, std::uint64_t least, std::uint64_t most) {
  KeySpec spec = number(name, least, most);
  spec.unlimited = true;
  return spec;
}
constexpr KeySpec of(std::string_view name, Form form, Words words) {
  return {.name = name, .form = form, .words = words};
}
// The operator sets this key; `remedy` completes "... is set by the operator; ".
constexpr KeySpec ours(KeySpec spec, std::string_view remedy) {
  spec.owner = Owner::operator_own;
  spec.remedy = remedy;
  return spec;
}
constexpr KeySpec joined(KeySpec spec) {
  spec.owner = Owner::both;
  return spec;
}
constexpr KeySpec repeated(KeySpec spec) {
  spec.repeats = true;
  return spec;
}
// `remedy` completes "... cannot be used: ".
constexpr KeySpec gone(std::string_view name, std::string_view remedy) {
  return {.name = name, .owner = Owner::forbidden, .remedy = remedy};
}

}  // namespace slurmop::conf::row
