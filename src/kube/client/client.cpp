// SPDX-License-Identifier: Apache-2.0
#include "kube/client/client.h"

#include "json/node.h"

#include <fmt/format.h>

#include <charconv>

namespace kube::inline client {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Header;
using net::http::Request;
using net::http::Response;

constexpr std::string_view kJson = "application/json";

Kind kind_of(int status) {
  switch (status) {
    case 400:
    case 405:
    case 406:
    case 413:
    case 415:
    case 422: return Kind::invalid;
    case 401: return Kind::unauthorized;
    case 403: return Kind::forbidden;
    case 404: return Kind::not_found;
    case 409:
    case 412: return Kind::conflict;
    case 410: return Kind::gone;
    case 429: return Kind::too_many;
    default: return status >= 500 ? Kind::unavailable : Kind::protocol;
  }
}

std::string_view content_type(PatchType type) {
  switch (type) {
    case PatchType::merge: return "application/merge-patch+json";
    case PatchType::json: return "application/json-patch+json";
    case PatchType::strategic: return "application/strategic-merge-patch+json";
    case PatchType::apply: return "application/apply-patch+yaml";  // JSON is YAML
  }
  return "";
}

std::string_view accepted(Content content) {
  switch (content) {
    case Content::whole: return kJson;
    case Content::metadata: return "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    case Content::metadata_list:
      return "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  }
  return kJson;
}

bool is_success(int status) {
  return status >= 200 && status < 300;
}

// Returns the message of the server, if the body is a Status object; else the beginning of the
// body.
std::string message_of(std::string_view body) {
  json::Parser parser;
  if (auto root = parser.parse(body)) {
    if (const auto message = root->find("message")) {
      if (const auto text = message->as_string(); text && !text->empty()) return std::string(*text);
    }
  }
  constexpr std::size_t kShown = 200;
  return body.empty() ? "no body" : std::string(body.substr(0, kShown));
}

std::optional<std::chrono::milliseconds> retry_after(const std::vector<Header>& headers) {
  const auto text = net::http::find_header(headers, "Retry-After");
  if (!text) return std::nullopt;
  int seconds = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  if (failed != std::errc() || seconds < 0 || seconds > 3600) return std::nullopt;
  return std::chrono::seconds(seconds);
}

}  // namespace

Error error_of(int status, std::string_view body, const std::vector<Header>& headers) {
  Error error = Error(kind_of(status), message_of(body)).with_status(status);
  if (const auto wait = retry_after(headers)) return std::move(error).with_retry_after(*wait);
  return error;
}

Error Client::error_answer(int status, std::string_view body, const std::vector<Header>& headers) {
  Error error = error_of(status, body, headers);
  if (error.is(Kind::unauthorized)) credentials_.refused();
  return error;
}

net::Task<Result<Request>> Client::request(std::string method,
                                           std::string target,
                                           base::Instant deadline,
                                           Content content) {
  CO_TRY(const std::optional<base::Secret> token, co_await credentials_.token(deadline));
  Request request(std::move(method), std::move(target));
  request.headers.emplace_back("Accept", std::string(accepted(content)));
  if (token)
    request.headers.emplace_back("Authorization", fmt::format("Bearer {}", token->reveal()));
  co_return request;
}

net::Task<Result<std::string>> Client::call(Request request, base::Instant deadline) {
  CO_TRY(Response answer, co_await transport_.send(std::move(request), deadline));
  if (!is_success(answer.status))
    co_return error_answer(answer.status, answer.body, answer.headers);
  co_return std::move(answer.body);
}

net::Task<Result<std::string>> Client::get(std::string target,
                                           base::Instant deadline,
                                           Content content) {
  CO_TRY(Request get_request, co_await request("GET", std::move(target), deadline, content));
  co_return co_await call(std::move(get_request), deadline);
}

net::Task<Result<std::string>> Client::write(std::string method,
                                             std::string target,
                                             Body body,
                                             base::Instant deadline) {
  CO_TRY(Request write_request, co_await request(std::move(method), std::move(target), deadline));
  write_request.headers.emplace_back("Content-Type", std::string(body.type));
  write_request.body = body.content.dump();
  co_return co_await call(std::move(write_request), deadline);
}

net::Task<Result<std::string>> Client::post(std::string target,
                                            json::Value body,
                                            base::Instant deadline) {
  return write("POST", std::move(target), {kJson, std::move(body)}, deadline);
}

net::Task<Result<std::string>> Client::patch(std::string target,
                                             PatchType type,
                                             json::Value body,
                                             base::Instant deadline) {
  return write("PATCH", std::move(target), {content_type(type), std::move(body)}, deadline);
}

net::Task<Result<std::string>> Client::put(std::string target,
                                           json::Value body,
                                           base::Instant deadline) {
  return write("PUT", std::move(target), {kJson, std::move(body)}, deadline);
}

net::Task<Result<std::string>> Client::remove(std::string target,
                                              json::Value options,
                                              base::Instant deadline) {
  return write("DELETE", std::move(target), {kJson, std::move(options)}, deadline);
}

net::Task<Result<net::http::StreamingResponse>> Client::stream(std::string target,
                                                               base::Instant deadline,
                                                               Content content) {
  CO_TRY(Request get_request, co_await request("GET", std::move(target), deadline, content));
  CO_TRY(net::http::StreamingResponse answer,
         co_await transport_.open(std::move(get_request), deadline));
  if (is_success(answer.status)) co_return std::move(answer);

  constexpr std::size_t kEnough = 64UL << 10U;
  std::string body;
  while (body.size() < kEnough) {
    auto more = co_await answer.body->read(body, deadline);
    if (!more.ok() || *more == 0) break;
  }
  co_return error_answer(answer.status, body, answer.headers);
}

}  // namespace kube::inline client
