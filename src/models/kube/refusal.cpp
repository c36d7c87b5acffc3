// SPDX-License-Identifier: Apache-2.0
#include "models/kube/refusal.h"

#include <fmt/format.h>

#include <utility>

namespace models::kube {
namespace {

json::Object details_of(const KubeResource& resource,
                        std::string_view kind,
                        std::string_view name) {
  json::Object details;
  if (!name.empty()) details.set("name", name);
  if (!resource.group.empty()) details.set("group", resource.group);
  details.set("kind", kind);
  return details;
}

std::string sentence(const Cause& cause) {
  return fmt::format("{}: {}", cause.field, cause.message);
}

// The real server writes an empty object here.
bool shows_empty_details(std::string_view reason) {
  return reason == "NotFound" || reason == "MethodNotAllowed" || reason == "Invalid" ||
         reason == "UnsupportedMediaType";
}

Refusal invalid_fields(std::string_view what, json::Object details, std::vector<Cause> causes) {
  std::string sentences = causes.size() == 1 ? sentence(causes[0]) : "[";
  json::Array list;
  for (const Cause& cause : causes) {
    if (causes.size() > 1) sentences += (list.empty() ? "" : ", ") + sentence(cause);
    list.emplace_back(
        json::Object{{"reason", cause.reason}, {"message", cause.message}, {"field", cause.field}});
  }
  if (causes.size() > 1) sentences += "]";
  details.set("causes", std::move(list));
  return {
      422, "Invalid", fmt::format("{} is invalid: {}", what, sentences), std::move(details), {}};
}

}  // namespace

Refusal bad_request(std::string message) {
  return {400, "BadRequest", std::move(message), {}, {}};
}
Refusal internal_error(std::string message) {
  return {500, "", std::move(message), {}, {}};
}
Refusal no_such_path() {
  return {404, "NotFound", "the server could not find the requested resource", {}, {}};
}
Refusal method_not_allowed() {
  return {405,
          "MethodNotAllowed",
          "the server does not allow this method on the requested resource",
          {},
          {}};
}
Refusal unsupported_media_type() {
  return {415, "UnsupportedMediaType", "415: Unsupported Media Type", {}, {}};
}

Refusal not_found(const KubeResource& resource, std::string_view name) {
  return {404,
          "NotFound",
          fmt::format("{} \"{}\" not found", resource.qualified_plural(), name),
          details_of(resource, resource.plural, name),
          {}};
}

Refusal already_exists(const KubeResource& resource, std::string_view name) {
  return {409,
          "AlreadyExists",
          fmt::format("{} \"{}\" already exists", resource.qualified_plural(), name),
          details_of(resource, resource.plural, name),
          {}};
}

Refusal conflict(std::string_view what, std::string_view name, std::string_view why) {
  return {409,
          "Conflict",
          fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", what, name, why),
          {{"name", name}, {"kind", what}},
          {}};
}

Refusal modified(const KubeResource& resource, std::string_view name) {
  Refusal refusal = conflict(resource.qualified_plural(),
                             name,
                             "the object has been modified; please apply your changes to the "
                             "latest version and try again");
  refusal.details = details_of(resource, resource.plural, name);
  return refusal;
}

Refusal invalid(const KubeResource& resource, std::string_view name, std::vector<Cause> causes) {
  return invalid_fields(fmt::format("{} \"{}\"", resource.qualified_kind(), name),
                        details_of(resource, resource.kind, name),
                        std::move(causes));
}

Refusal invalid_options(std::string_view kind, std::vector<Cause> causes) {
  return invalid_fields(fmt::format("{}.meta.k8s.io \"\"", kind),
                        {{"group", "meta.k8s.io"}, {"kind", kind}},
                        std::move(causes));
}

Refusal expired(std::string message) {
  return {410, "Expired", std::move(message), {}, {}};
}

json::Object status_object(const Refusal& refusal) {
  json::Object metadata;
  if (!refusal.continue_token.empty()) metadata.set("continue", refusal.continue_token);
  json::Object status{{"kind", "Status"},
                      {"apiVersion", "v1"},
                      {"metadata", std::move(metadata)},
                      {"status", "Failure"},
                      {"message", refusal.message}};
  if (!refusal.reason.empty()) status.set("reason", refusal.reason);
  if (!refusal.details.empty() || shows_empty_details(refusal.reason)) {
    status.set("details", refusal.details);
  }
  status.set("code", refusal.code);
  return status;
}

net::http::Response answer(const Refusal& refusal) {
  return answer(refusal.code, json::Value(status_object(refusal)).dump());
}

net::http::Response answer(int code, std::string body) {
  return {code, {{"Content-Type", "application/json"}}, std::move(body)};
}

}  // namespace models::kube
