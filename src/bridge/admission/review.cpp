// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/review.h"

#include "base/base64.h"
#include "base/quote.h"

#include <fmt/format.h>

namespace bridge::admission {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::string_view kVersion = "admission.k8s.io/v1";
constexpr std::string_view kKind = "AdmissionReview";
constexpr std::size_t kLongestUid = 256;  // Kubernetes sends 36
// What clients show of warnings is limited by the API server, too.
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

Error misdirected(std::string message) {
  return Error(Kind::invalid, std::move(message));
}

Operation operation_named(std::string_view name) {
  if (name == "CREATE") return Operation::create;
  if (name == "UPDATE") return Operation::update;
  return Operation::other;
}

Result<void> check_resource(const json::Node& request) {
  const auto resource = object(request, "resource");
  if (!resource) return misdirected("request.resource is missing");
  if (text(*resource, "group").empty() && text(*resource, "version") == "v1" &&
      text(*resource, "resource") == "pods")
    return {};
  return misdirected(
      fmt::format("this webhook is for v1 pods and was asked about {} of group {}; correct the "
                  "rules of the webhook configuration",
                  base::quoted(text(*resource, "resource")),
                  base::quoted(text(*resource, "group"))));
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
    return misdirected(fmt::format("expected a {} of {}, and got a {} of {}",
                                   kKind,
                                   kVersion,
                                   base::quoted(text(document, "kind")),
                                   base::quoted(text(document, "apiVersion"))));
  }
  const auto request = object(document, "request");
  if (!request) return misdirected("request is missing");
  const std::string_view uid = text(*request, "uid");
  if (uid.empty() || uid.size() > kLongestUid)
    return misdirected("request.uid is missing or no uid");
  return std::string(uid);
}

Result<Review> read_review(const json::Node& document) {
  const auto request = object(document, "request");
  if (!request) return misdirected("request is missing");
  TRY_VOID(check_resource(*request));
  Review review;
  review.operation = operation_named(text(*request, "operation"));
  review.ns = text(*request, "namespace");
  review.subresource = text(*request, "subResource");
  review.object = object(*request, "object");
  review.old_object = object(*request, "oldObject");
  if (const auto user = object(*request, "userInfo")) review.user = text(*user, "username");
  if (review.operation == Operation::other) return review;
  if (review.ns.empty()) return misdirected("request.namespace is missing");
  if (!review.object) return misdirected("request.object is missing");
  if (review.operation == Operation::create) {
    review.old_object.reset();
  } else if (!review.old_object) {
    return misdirected("request.oldObject is missing");
  }
  return review;
}

std::string review_answer(std::string_view uid, const Verdict& verdict) {
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

}  // namespace bridge::admission
