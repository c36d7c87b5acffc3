// SPDX-License-Identifier: Apache-2.0
// All parsers of src/base. The first letter selects the parser of the rest.
#include "base/base64.h"
#include "base/duration.h"
#include "base/flags.h"
#include "base/integer.h"
#include "base/log_format.h"
#include "base/nearest.h"
#include "base/quantity.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "fuzz/check.h"
#include "json/value.h"
#include "slurm/api/hostlist.h"

#include <array>
#include <set>

namespace {

using fuzz::check;
using fuzz::check_message;
using fuzz::parts;
using std::string_view;

std::set<std::string> as_set(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

void compressed_is(const std::vector<std::string>& names) {
  const auto list = slurm::compress_hostlist(names);
  if (!list.ok()) {
    check(!std::ranges::all_of(names, slurm::is_host_name), "host names can be compressed");
    return check_message(list.error());
  }
  const auto back = slurm::expand_hostlist(*list);
  if (as_set(names).size() > slurm::kMaxHosts) return;
  check(back.ok(), "a compressed list can be expanded");
  check(as_set(*back) == as_set(names), "compressing loses and adds no name");
  check(back->size() == as_set(names).size(), "each name occurs once");
  check(*slurm::compress_hostlist(*back) == *list, "compressing again changes nothing");
}

void hostlist(string_view text) {
  constexpr std::size_t kLimit = 2000;
  const auto names = slurm::expand_hostlist(text, kLimit);
  if (!names.ok()) return check_message(names.error());
  check(names->size() <= kLimit, "no more names than allowed");
  for (const std::string& name : *names) check(slurm::is_host_name(name), "a name is a host name");
  compressed_is(*names);
}

void host_names(string_view text) {
  std::vector<std::string> names;
  for (const string_view name : parts(text, '\n')) names.emplace_back(name);
  compressed_is(names);
}

void quantity(string_view text) {
  const auto amount = base::Quantity::parse(text);
  if (!amount.ok()) return check_message(amount.error());
  const auto again = base::Quantity::parse(amount->to_string());
  check(again.ok() && *again == *amount, "the canonical text is the same amount");
  check(again->to_string() == amount->to_string(), "the canonical text stays as it is");
  if (const auto sum = amount->plus(base::Quantity::milli(1500)); sum.ok()) {
    check(*sum->minus(base::Quantity::milli(1500)) == *amount, "minus undoes plus");
    check(*sum > *amount, "adding makes more");
  }
  check(!amount->is_zero() || amount->value() == 0, "zero has no units");
}

void duration(string_view text) {
  const auto time = base::parse_duration(text);
  if (!time.ok()) return check_message(time.error());
  const auto again = base::parse_duration(base::format_duration(*time));
  check(again.ok() && *again == *time, "the text that is written is the same duration");
}

void rfc3339(string_view text) {
  const auto when = base::parse_rfc3339(text);
  if (!when.ok()) return check_message(when.error());
  const auto micro = base::parse_rfc3339(base::format_rfc3339_micro(*when));
  const auto seconds = base::parse_rfc3339(base::format_rfc3339(*when));
  check(micro.ok() && seconds.ok(), "what is written can be read");
  check(*micro <= *when && *when - *micro < std::chrono::microseconds(1), "to the microsecond");
  check(*seconds <= *when && *when - *seconds < std::chrono::seconds(1), "to the second");
}

void base64(string_view text) {
  using enum base::Base64;
  for (const base::Base64 form : {standard, standard_unpadded, url, url_unpadded}) {
    const auto bytes = base::decode_base64(text, form);
    if (bytes.ok()) check(base::encode_base64(*bytes, form) == text, "one value has one text");
    if (!bytes.ok()) check_message(bytes.error());
    const auto back = base::decode_base64(base::encode_base64(text, form), form);
    check(back.ok() && *back == text, "encoding and decoding gives the same bytes");
  }
}

template <class T>
void integer_of(string_view text) {
  const auto number = base::parse_integer<T>(text);
  if (!number.ok()) return check_message(number.error());
  check(*base::parse_integer<T>(std::to_string(*number)) == *number, "its own text is the number");
}
void integer(string_view text) {
  integer_of<std::int32_t>(text);
  integer_of<std::uint32_t>(text);
  integer_of<std::int64_t>(text);
  integer_of<std::uint64_t>(text);
  const auto narrow = base::parse_integer<std::int32_t>(text);
  if (!narrow.ok()) return;
  check(*base::parse_integer<std::int64_t>(text) == *narrow, "both widths read the same number");
}

void flags(string_view text) {
  bool on = false;
  std::int32_t number = 0;
  std::string name;
  std::string argument;
  base::Duration wait{};
  std::vector<std::string> list;
  std::vector<std::string> rest;
  base::Flags all("fuzz", "Takes anything.");
  all.add("on", &on, "a switch");
  all.add("number", &number, "a number");
  all.add("name", &name, "a text");
  all.add("wait", &wait, "a duration");
  all.add("list", &list, "texts");
  all.ignore("feature-gates", base::Flags::Takes::value, "there are none");
  all.ignore("quiet", base::Flags::Takes::nothing, "never loud");
  all.argument("first", &argument, "an argument");
  all.rest("others", &rest, "more arguments");
  const std::vector<string_view> words = parts(text, '\n');
  const auto outcome = all.parse(words);
  if (!outcome.ok()) return check_message(outcome.error());
  check(list.size() + rest.size() + outcome->warnings.size() <= words.size(),
        "every value comes from the input");
}

void nearest(string_view text) {
  const std::vector<string_view> words = parts(text, '\n');
  const string_view word = words.front().substr(0, 120);
  const auto found = base::nearest(word, words);
  if (found)
    check(std::ranges::find(words, *found) != words.end(), "the nearest word is a known one");
  if (!word.empty() && word.size() <= 100) check(found == word, "a known word is its own nearest");
  const string_view other = words.back().substr(0, 120);
  const std::size_t edits = base::edit_distance(word, other);
  check(edits == base::edit_distance(other, word), "the distance is the same both ways");
  check(edits <= std::max(word.size(), other.size()), "no more edits than letters");
  check((edits == 0) == (word == other), "only equal words have no edits between them");
}

void utf8(string_view text) {
  const std::string repaired = base::repair_utf8(std::string(text));
  check(base::is_utf8(repaired), "repaired text is valid");
  check(repaired.size() <= 3 * text.size(), "at most three times the bytes");
  check(base::is_utf8(text) == (repaired == text), "only valid text is unchanged");
  check(base::repair_utf8(repaired) == repaired, "repairing again changes nothing");
}

void quote(string_view text) {
  const std::string shown = base::quoted(text, 64);
  check(base::is_utf8(shown), "quoted text is valid UTF-8");
  check(std::ranges::none_of(shown, [](char c) { return c >= 0 && c < ' '; }), "on one line");
  std::string whole = "\"";
  base::append_escaped(whole, text);
  const auto back = json::parse(whole + "\"");
  check(back.ok() && *back->as_string() == base::repair_utf8(std::string(text)),
        "escaped text reads as the same in JSON");
  check(text.starts_with(base::cut(text, 7)) && base::cut(text, 7).size() <= 7,
        "cut returns a prefix");
}

void log_line(string_view text) {
  const std::vector<string_view> words = parts(text, '\n');
  const std::string_view key = words.size() > 1 ? words[1] : "key";
  const std::array fields = {base::LogField{key, words.back()}, base::LogField{words.back(), 1}};
  for (const auto format : {base::LogFormat::json, base::LogFormat::human}) {
    std::string context;
    base::append_fields(context, format, fields);
    const std::string line = base::format_record(
        format, {base::LogLevel::info, base::WallTime{}, words.front(), context, fields});
    check(base::is_utf8(line), "a line is valid UTF-8");
    check(line.find('\n') == line.size() - 1, "the only line break ends the line");
    if (format != base::LogFormat::json) continue;
    const auto record = json::parse(line);
    check(record.ok() && record->as_object() != nullptr, "any parser takes the line");
  }
  (void)base::parse_log_level(text);
  (void)base::parse_log_format(text);
}

constexpr std::array kReaders = {hostlist,
                                 host_names,
                                 quantity,
                                 duration,
                                 rfc3339,
                                 base64,
                                 integer,
                                 flags,
                                 nearest,
                                 utf8,
                                 quote,
                                 log_line};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto read = input.one_of(kReaders);
  read(input.rest());
  return 0;
}
