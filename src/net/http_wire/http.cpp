// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire/http.h"

#include <algorithm>

namespace net::http::inline wire {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_repeatable(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE";
}

}  // namespace

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("!#$%&'*+-.^_`|~").contains(c);
  });
}

bool is_field_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\t') || byte == 127;
  });
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<std::string_view> find_header(const std::vector<Header>& headers,
                                            std::string_view name) {
  for (const Header& header : headers) {
    if (is_same_name(header.name, name)) return header.value;
  }
  return std::nullopt;
}

Request::Request(std::string request_method, std::string request_target, std::string request_body)
    : method(std::move(request_method)),
      target(std::move(request_target)),
      body(std::move(request_body)),
      repeatable(is_repeatable(method)) {}

}  // namespace net::http::inline wire
