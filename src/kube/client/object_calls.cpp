// SPDX-License-Identifier: Apache-2.0
#include "kube/client/object_calls.h"

#include "json/node.h"
#include "json/pointer.h"
#include "net/transport/url.h"

#include <fmt/format.h>

namespace kube::inline client {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::size_t kPageSize = 500;

Result<std::string> with_context(Result<std::string> answer,
                                 std::string_view verb,
                                 const Resource& resource,
                                 std::string_view object) {
  if (answer.ok()) return answer;
  return std::move(answer).error().in(fmt::format("{} {} {}", verb, resource.plural, object));
}

std::string continue_token(const std::string& body) {
  json::Parser parser;
  const auto page = parser.parse(body);
  if (!page.ok()) return "";
  const auto metadata = page->find("metadata");
  const auto token = metadata ? metadata->find("continue") : std::nullopt;
  return std::string(token ? token->as_string().value_or("") : "");
}

std::string collection_query(const ListOptions& which) {
  std::string query;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    query += query.empty() ? '?' : '&';
    query.append(name).append("=").append(net::encode_query_value(value));
  };
  add("labelSelector", which.label_selector);
  add("fieldSelector", which.field_selector);
  return query;
}

}  // namespace

ObjectKey key_of_object(const json::Object& object) {
  const json::Value* metadata = object.find("metadata");
  const auto text = [&](std::string_view key) {
    const json::Value* value = metadata == nullptr ? nullptr : metadata->find(key);
    return value == nullptr || value->as_string() == nullptr ? std::string() : *value->as_string();
  };
  return {text("namespace"), text("name")};
}

std::string ObjectCalls::path(const ObjectKey& key) const {
  return object_path(resource_, key, subresource_);
}

json::Object ObjectCalls::typed(json::Object object) const {
  if (resource_.kind.empty()) return object;
  json::Object whole{{"apiVersion", resource_.api_version()}, {"kind", resource_.kind}};
  for (json::Member& member : object) {
    if (member.key != "apiVersion" && member.key != "kind")
      whole.set(member.key, std::move(member.value));
  }
  return whole;
}

ObjectCalls::Task ObjectCalls::get(ObjectKey key) const {
  auto answer = co_await client_.get(
      path(key), deadline(), metadata_only_ ? Content::metadata : Content::whole);
  co_return with_context(std::move(answer), "get", resource_, key.to_string());
}

net::Task<Result<void>> ObjectCalls::list(ListOptions options,
                                          std::function<Result<void>(std::string)> page) const {
  const Selection selection{resource_, options.ns, options.label_selector, options.field_selector};
  std::string token;
  do {
    auto answer = co_await client_.get(list_path(selection, kPageSize, token),
                                       deadline(),
                                       metadata_only_ ? Content::metadata_list : Content::whole);
    CO_TRY(std::string body, with_context(std::move(answer), "list", resource_, options.ns));
    token = continue_token(body);
    CO_TRY_VOID(page(std::move(body)));
  } while (!token.empty());
  co_return Result<void>();
}

ObjectCalls::Task ObjectCalls::create(json::Object object, WriteOptions options) const {
  const ObjectKey key = key_of_object(object);
  auto answer = co_await client_.post(collection_path(resource_, key.ns) + write_query(options),
                                      typed(std::move(object)),
                                      deadline());
  co_return with_context(std::move(answer), "create", resource_, key.to_string());
}

ObjectCalls::Task ObjectCalls::apply(json::Object object, ApplyOptions options) const {
  const ObjectKey key = key_of_object(object);
  if (key.name.empty() || resource_.kind.empty() || options.field_manager.empty()) {
    co_return Error(Kind::invalid,
                    fmt::format("apply {} {}: a name, a kind and a field manager are needed",
                                resource_.plural,
                                key.to_string()));
  }
  auto answer = co_await client_.patch(
      path(key) + apply_query(options), PatchType::apply, typed(std::move(object)), deadline());
  co_return with_context(std::move(answer), "apply", resource_, key.to_string());
}

ObjectCalls::Task ObjectCalls::replace(json::Object object, WriteOptions options) const {
  const ObjectKey key = key_of_object(object);
  auto answer =
      co_await client_.put(path(key) + write_query(options), typed(std::move(object)), deadline());
  co_return with_context(std::move(answer), "replace", resource_, key.to_string());
}

ObjectCalls::Task ObjectCalls::patch(ObjectKey key,
                                     PatchType type,
                                     json::Value body,
                                     WriteOptions options) const {
  auto answer =
      co_await client_.patch(path(key) + write_query(options), type, std::move(body), deadline());
  co_return with_context(std::move(answer), "patch", resource_, key.to_string());
}

ObjectCalls::Task ObjectCalls::post_to(ObjectKey key,
                                       std::string subresource,
                                       json::Value body) const {
  auto answer =
      co_await client_.post(object_path(resource_, key, subresource), std::move(body), deadline());
  co_return with_context(
      std::move(answer), "create " + subresource + " of", resource_, key.to_string());
}

ObjectCalls::Task ObjectCalls::remove(ObjectKey key, DeleteOptions options) const {
  auto answer = co_await client_.remove(path(key), delete_body(options), deadline());
  co_return with_context(std::move(answer), "delete", resource_, key.to_string());
}

ObjectCalls::Task ObjectCalls::remove_all(ListOptions which, DeleteOptions options) const {
  auto answer =
      co_await client_.remove(collection_path(resource_, which.ns) + collection_query(which),
                              delete_body(options),
                              deadline());
  co_return with_context(std::move(answer), "delete all", resource_, which.ns);
}

}  // namespace kube::inline client
