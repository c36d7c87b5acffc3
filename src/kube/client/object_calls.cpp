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

Error ObjectCalls::in_call(Error error, std::string_view verb, const ObjectKey& key) const {
  const std::string object = key.to_string();
  std::string call = fmt::format("{} {}", verb, resource_.plural);
  if (!subresource_.empty()) call.append("/").append(subresource_);
  if (!object.empty()) call.append(" ").append(object);
  return std::move(error).in(call);
}

Result<std::string> ObjectCalls::with_context(Result<std::string> answer,
                                              std::string_view verb,
                                              const ObjectKey& key) const {
  if (answer.ok()) return answer;
  return in_call(std::move(answer).error(), verb, key);
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
  co_return with_context(std::move(answer), "get", key);
}

net::Task<Result<void>> ObjectCalls::list(
    ListOptions options, std::function<Result<std::size_t>(std::string)> page) const {
  const Selection selection{resource_, options.ns, options.label_selector, options.field_selector};
  const bool limited =
      options.at_most > 0 && (options.page_size == 0 || options.at_most < options.page_size);
  const std::size_t page_size = limited ? options.at_most : options.page_size;
  const ObjectKey where{"", options.ns};
  std::string token;
  for (;;) {
    auto answer = co_await client_.get(list_path(selection, page_size, token),
                                       deadline(),
                                       metadata_only_ ? Content::metadata_list : Content::whole);
    CO_TRY(std::string body, with_context(std::move(answer), "list", where));
    token = continue_token(body);
    const auto arrived = page(std::move(body));
    if (!arrived.ok()) co_return in_call(arrived.error(), "list", where);
    if (token.empty() || (options.at_most > 0 && *arrived >= options.at_most)) break;
  }
  co_return Result<void>();
}

ObjectCalls::Task ObjectCalls::create(json::Object object, WriteOptions options) const {
  const ObjectKey key = key_of_object(object);
  auto answer = co_await client_.post(collection_path(resource_, key.ns) + write_query(options),
                                      typed(std::move(object)),
                                      deadline());
  co_return with_context(std::move(answer), "create", key);
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
  co_return with_context(std::move(answer), "apply", key);
}

ObjectCalls::Task ObjectCalls::replace(json::Object object, WriteOptions options) const {
  const ObjectKey key = key_of_object(object);
  auto answer =
      co_await client_.put(path(key) + write_query(options), typed(std::move(object)), deadline());
  co_return with_context(std::move(answer), "replace", key);
}

ObjectCalls::Task ObjectCalls::patch(ObjectKey key,
                                     PatchType type,
                                     json::Value body,
                                     WriteOptions options) const {
  auto answer =
      co_await client_.patch(path(key) + write_query(options), type, std::move(body), deadline());
  co_return with_context(std::move(answer), "patch", key);
}

ObjectCalls::Task ObjectCalls::post_to(ObjectKey key,
                                       std::string subresource,
                                       json::Value body) const {
  auto answer =
      co_await client_.post(object_path(resource_, key, subresource), std::move(body), deadline());
  co_return with_context(std::move(answer), "create " + subresource + " of", key);
}

ObjectCalls::Task ObjectCalls::remove(ObjectKey key, DeleteOptions options) const {
  auto answer = co_await client_.remove(path(key), delete_body(options), deadline());
  co_return with_context(std::move(answer), "delete", key);
}

ObjectCalls::Task ObjectCalls::remove_all(ListOptions which, DeleteOptions options) const {
  auto answer =
      co_await client_.remove(collection_path(resource_, which.ns) + collection_query(which),
                              delete_body(options),
                              deadline());
  co_return with_context(std::move(answer), "delete all", {"", which.ns});
}

}  // namespace kube::inline client
