// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire/response.h"

#include "base/quote.h"

#include <boost/beast/http/status.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace net::http::inline wire {
namespace {

using base::Error;
using base::Kind;
using base::Result;

bool is_ours(std::string_view name) {
  constexpr std::array kOurs = {"Content-Length", "Connection", "Transfer-Encoding", "Date"};
  return std::ranges::any_of(kOurs, [&](auto ours) { return is_same_name(name, ours); });
}

Result<void> check(int status, const std::vector<Header>& headers) {
  if (status < 200 || status > 599)
    return Error(Kind::invalid, fmt::format("{} is not the status of an answer", status));
  for (const Header& header : headers) {
    if (!is_token(header.name))
      return Error(Kind::invalid,
                   fmt::format("{} is not a header name", base::quoted(header.name)));
    if (!is_field_value(header.value))
      return Error(Kind::invalid,
                   fmt::format("the value of header {} has a control character", header.name));
    if (is_ours(header.name))
      return Error(Kind::invalid, fmt::format("header {} is set by the server", header.name));
  }
  return {};
}

}  // namespace

Result<std::string> encode_header(int status,
                                  const std::vector<Header>& headers,
                                  const Framing& framing) {
  TRY_VOID(check(status, headers));
  std::string bytes;
  const auto out = std::back_inserter(bytes);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\n", status, reason(status));
  fmt::format_to(out, "Date: {}\r\n", http_date(framing.date));
  for (const Header& header : headers) fmt::format_to(out, "{}: {}\r\n", header.name, header.value);
  if (may_have_body(status)) {
    if (framing.body == Framing::Body::counted)
      fmt::format_to(out, "Content-Length: {}\r\n", framing.length);
    if (framing.body == Framing::Body::chunked) bytes += "Transfer-Encoding: chunked\r\n";
  }
  fmt::format_to(out, "Connection: {}\r\n\r\n", framing.keep_alive ? "keep-alive" : "close");
  return bytes;
}

bool may_have_body(int status) {
  return status != 204 && status != 304;
}

std::string_view reason(int status) {
  const auto known = boost::beast::http::int_to_status(static_cast<unsigned>(status));
  if (known == boost::beast::http::status::unknown) return {};
  const auto text = boost::beast::http::obsolete_reason(known);
  return {text.data(), text.size()};
}

std::string http_date(base::WallTime when) {
  constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(when);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(when - day));
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays.at(std::chrono::weekday(day).c_encoding()),
                     unsigned{date.day()},
                     kMonths.at(unsigned{date.month()} - 1),
                     int{date.year()},
                     time.hours().count(),
                     time.minutes().count(),
                     time.seconds().count());
}

std::string chunk(std::string_view piece) {
  return fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
}

}  // namespace net::http::inline wire
