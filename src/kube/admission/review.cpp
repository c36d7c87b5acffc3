// SPDX-License-Identifier: Apache-2.0
#include "kube/admission/review.h"

#include "base/base64.h"
#include "base/quote.h"

#include <fmt/format.h>

namespace kube::inline admission {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::string_view kVersion = "admission.k8s.io/v1";
constexpr std::string_view kKind = "AdmissionReview";
constexpr std::size_t kLongestUid = 256;  // Kubernetes sends 36
// The API server also limits the warnings that clients show.
constexpr std::size_t kMostWarnings = 16;

std::string_view text(const json::Node& node, std::string_view key) {
  const auto member = node.find(key);
  return member ? member->as_string().value_or("") : "";
}

std::optional<json::Node> object(const json::Node& node, std::string_view key) {
  auto member = node.find(key);
  if (member && member->type() != json::Type::object) return std::nullopt;
  return member;
}

Error invalid_review(std::string message) {
  return Error(Kind::invalid, std::move(message));
}

AdmissionOperation operation_named(std::string_view name) {
  if (name == "CREATE") return AdmissionOperation::create;
  if (name == "UPDATE") return AdmissionOperation::update;
  if (name == "DELETE") return AdmissionOperation::remove;
  if (name == "CONNECT") return AdmissionOperation::connect;
  return AdmissionOperation::unknown;
}

// A request without the objects of its operation cannot be reviewed.
Result<void> check_objects(AdmissionRequest& request) {
  const bool creates = request.operation == AdmissionOperation::create;
  const bool updates = request.operation == AdmissionOperation::update;
  if ((creates || updates) && !request.object) return invalid_review("request.object is missing");
  if (updates && !request.old_object) return invalid_review("request.oldObject is missing");
  if (creates) request.old_object.reset();
  return {};
}

std::string_view reason_of(int code) {
  switch (code) {
    case 400: return "BadRequest";
    case 403: return "Forbidden";
    case 422: return "Invalid";
    case 503: return "ServiceUnavailable";
    default: return "InternalError";
  }
}

json::Array shown(const std::vector<std::string>& warnings) {
  json::Array some;
  for (const std::string& warning : warnings) {
    if (some.size() == kMostWarnings) {
      some.emplace_back(fmt::format("and {} more warnings", warnings.size() - kMostWarnings));
      break;
    }
    some.emplace_back(warning);
  }
  return some;
}

}  // namespace

Result<std::string> review_uid(const json::Node& document) {
  if (text(document, "apiVersion") != kVersion || text(document, "kind") != kKind) {
    return invalid_review(fmt::format("expected a {} of {}, got a {} of {}",
                                      kKind,
                                      kVersion,
                                      base::quoted(text(document, "kind")),
                                      base::quoted(text(document, "apiVersion"))));
  }
  const auto request = object(document, "request");
  if (!request) return invalid_review("request is missing");
  const std::string_view uid = text(*request, "uid");
  if (uid.empty() || uid.size() > kLongestUid)
    return invalid_review("request.uid is missing or invalid");
  return std::string(uid);
}

Result<AdmissionRequest> read_admission_request(const json::Node& document) {
  const auto source = object(document, "request");
  if (!source) return invalid_review("request is missing");
  const auto resource = object(*source, "resource");
  if (!resource) return invalid_review("request.resource is missing");
  AdmissionRequest request;
  request.operation = operation_named(text(*source, "operation"));
  request.group = text(*resource, "group");
  request.version = text(*resource, "version");
  request.resource = text(*resource, "resource");
  request.subresource = text(*source, "subResource");
  request.ns = text(*source, "namespace");
  request.name = text(*source, "name");
  if (const auto dry_run = source->find("dryRun"))
    request.dry_run = dry_run->as_bool().value_or(false);
  if (const auto user = object(*source, "userInfo")) request.user = text(*user, "username");
  request.object = object(*source, "object");
  request.old_object = object(*source, "oldObject");
  TRY_VOID(check_objects(request));
  return request;
}

std::string review_answer(std::string_view uid, const AdmissionVerdict& verdict) {
  json::Object response{{"uid", uid}, {"allowed", !verdict.denial.has_value()}};
  if (verdict.denial) {
    response.set("status",
                 json::Object{{"status", "Failure"},
                              {"message", verdict.denial->message},
                              {"reason", reason_of(verdict.denial->code)},
                              {"code", verdict.denial->code}});
  } else if (!verdict.patch.empty()) {
    response.set("patchType", "JSONPatch");
    response.set("patch", base::encode_base64(json::Value(verdict.patch).dump()));
  }
  if (!verdict.warnings.empty()) response.set("warnings", shown(verdict.warnings));
  return json::Value(json::Object{{"apiVersion", kVersion},
                                  {"kind", kKind},
                                  {"response", std::move(response)}})
      .dump();
}

}  // namespace kube::inline admission
