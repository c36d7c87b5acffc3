// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/text.h"

#include "base/quote.h"
#include "models/slurm/error.h"

#include <algorithm>
#include <charconv>

namespace models::slurm {
namespace {

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return c >= ' ' && c != '"' && c != '\\' && c < 0x7f; });
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  if (is_plain(text)) {
    out += text;
  } else {
    base::append_escaped(out, text);
  }
  out += '"';
}

void append_number(std::string& out, std::int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

}  // namespace

void SlurmText::comma() {
  if (!first_) out_ += ',';
  first_ = false;
}

void SlurmText::begin(std::string_view key) {
  comma();
  out_ += '"';
  out_ += key;
  out_ += "\":";
}

void SlurmText::open(char bracket) {
  comma();
  out_ += bracket;
  first_ = true;
}

void SlurmText::open(std::string_view key, char bracket) {
  begin(key);
  out_ += bracket;
  first_ = true;
}

void SlurmText::close(char bracket) {
  out_ += bracket;
  first_ = false;
}

void SlurmText::text(std::string_view key, std::string_view value) {
  begin(key);
  append_quoted(out_, value);
}

void SlurmText::number(std::string_view key, std::int64_t value) {
  begin(key);
  append_number(out_, value);
}

void SlurmText::boolean(std::string_view key, bool value) {
  raw(key, value ? "true" : "false");
}

void SlurmText::raw(std::string_view key, std::string_view json) {
  begin(key);
  out_ += json;
}

void SlurmText::members(std::string_view json) {
  comma();
  out_ += json;
}

void SlurmText::texts(std::string_view key, std::span<const std::string_view> values) {
  begin_array(key);
  for (const std::string_view value : values) element(value);
  end_array();
}

void SlurmText::set(std::string_view key, std::int64_t value) {
  begin(key);
  out_ += R"({"set":true,"infinite":false,"number":)";
  append_number(out_, value);
  out_ += '}';
}

void SlurmText::unset(std::string_view key) {
  raw(key, R"({"set":false,"infinite":false,"number":0})");
}

void SlurmText::infinite(std::string_view key) {
  raw(key, R"({"set":false,"infinite":true,"number":0})");
}

void SlurmText::element(std::string_view value) {
  comma();
  append_quoted(out_, value);
}

void write_errors(SlurmText& out, const std::vector<SlurmError>& errors) {
  out.begin_array("errors");
  for (const SlurmError& error : errors) {
    out.begin_object();
    out.text("description", error.description);
    out.number("error_number", error.number);
    out.text("error", error.error.empty() ? words_of(error.number) : error.error);
    out.text("source", error.source);
    out.end_object();
  }
  out.end_array();
}

void write_warnings(SlurmText& out, const std::vector<SlurmWarning>& warnings) {
  out.begin_array("warnings");
  for (const SlurmWarning& warning : warnings) {
    out.begin_object();
    out.text("description", warning.description);
    out.text("source", warning.source);
    out.end_object();
  }
  out.end_array();
}

}  // namespace models::slurm
