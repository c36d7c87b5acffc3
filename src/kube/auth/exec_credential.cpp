// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/exec_credential.h"

#include "base/rfc3339.h"
#include "json/node.h"

#include <fmt/format.h>

namespace kube::inline auth {
namespace {

using base::Error;
using base::Kind;
using base::Result;

Error bad(const ExecSpec& spec, std::string_view what) {
  return Error(Kind::unauthorized,
               fmt::format("the answer of the exec plugin {}: {}", spec.command, what));
}

// A member that must be a string if it is present.
Result<std::string> text(const ExecSpec& spec, const json::Node& from, std::string_view name) {
  const auto member = from.find(name);
  if (!member) return std::string();
  const auto value = member->as_string();
  if (!value) return bad(spec, fmt::format("{} is not a string", name));
  return std::string(*value);
}

}  // namespace

std::string exec_info(const ExecSpec& spec) {
  json::Object about{{"interactive", false}};
  if (!spec.cluster.empty()) about.set("cluster", spec.cluster);
  return json::Value(json::Object{{"apiVersion", spec.api_version},
                                  {"kind", "ExecCredential"},
                                  {"spec", std::move(about)}})
      .dump();
}

Result<ExecCredential> parse_exec_credential(const ExecSpec& spec, std::string_view output) {
  json::Parser parser;
  const auto root = parser.parse(output);
  if (!root.ok() || root->type() != json::Type::object) return bad(spec, "not a JSON object");
  TRY(const std::string version, text(spec, *root, "apiVersion"));
  TRY(const std::string kind, text(spec, *root, "kind"));
  if (kind != "ExecCredential") return bad(spec, "kind is not ExecCredential");
  if (version != spec.api_version) {
    return bad(spec,
               fmt::format("apiVersion is {:?}, but the kubeconfig asks for {:?}; make them agree",
                           version,
                           spec.api_version));
  }
  const auto status = root->find("status");
  if (!status || status->type() != json::Type::object) return bad(spec, "status is missing");

  ExecCredential credential;
  TRY(std::string token, text(spec, *status, "token"));
  if (!token.empty()) credential.token = base::Secret::consume(token);
  TRY(credential.certificate_pem, text(spec, *status, "clientCertificateData"));
  TRY(std::string key, text(spec, *status, "clientKeyData"));
  credential.key_pem = base::Secret::consume(key);
  if (credential.certificate_pem.empty() != credential.key_pem.empty()) {
    return bad(spec, "clientCertificateData and clientKeyData are needed together; one is missing");
  }
  if (!credential.token && credential.certificate_pem.empty())
    return bad(spec, "status has neither token nor clientCertificateData");

  TRY(const std::string expires, text(spec, *status, "expirationTimestamp"));
  if (!expires.empty()) {
    auto when = base::parse_rfc3339(expires);
    if (!when.ok())
      return bad(spec, "expirationTimestamp is not a time: " + when.error().message());
    credential.expires = *when;
  }
  return credential;
}

}  // namespace kube::inline auth
