// SPDX-License-Identifier: Apache-2.0
// The answer of an exec plugin. The first letter selects the API version in the kubeconfig.
#include "kube/auth/exec_credential.h"

#include "base/rfc3339.h"
#include "fuzz/check.h"

#include <array>

namespace {

using fuzz::check;

constexpr std::array kVersions = {kube::kExecV1, kube::kExecV1Beta1};

std::string answer(const kube::ExecSpec& spec, const kube::ExecCredential& credential) {
  json::Object status;
  if (credential.token) status.set("token", credential.token->reveal());
  if (!credential.certificate_pem.empty()) {
    status.set("clientCertificateData", credential.certificate_pem);
    status.set("clientKeyData", credential.key_pem.reveal());
  }
  if (credential.expires)
    status.set("expirationTimestamp", base::format_rfc3339_micro(*credential.expires));
  return json::Value(json::Object{{"apiVersion", spec.api_version},
                                  {"kind", "ExecCredential"},
                                  {"status", std::move(status)}})
      .dump();
}

// A member of `status`, if it is long enough to be distinguished from our own message texts.
std::string telling(const json::Value& document, std::string_view name) {
  constexpr std::size_t kTelling = 12;
  const json::Value* status = document.find("status");
  const json::Value* member = status != nullptr ? status->find(name) : nullptr;
  const std::string* text = member != nullptr ? member->as_string() : nullptr;
  return text != nullptr && text->size() >= kTelling && !text->contains(' ') ? *text : "";
}

void refused(const base::Error& error, std::string_view output) {
  fuzz::check_message(error);
  check(error.is(base::Kind::unauthorized), "a bad answer means that we have no credential");
  const auto document = json::parse(output);
  if (!document.ok()) return;
  for (const char* name : {"token", "clientKeyData"}) {
    const std::string secret = telling(*document, name);
    // The same text may also be in a field that a message may name.
    const bool elsewhere = telling(*document, "expirationTimestamp").contains(secret);
    if (!secret.empty() && !elsewhere && !output.substr(0, output.find("status")).contains(secret))
      check(!error.message().contains(secret), "a message keeps the secret");
  }
}

void accepted(const kube::ExecSpec& spec, const kube::ExecCredential& credential) {
  check(credential.token || !credential.certificate_pem.empty(), "a credential is one of the two");
  check(credential.certificate_pem.empty() == credential.key_pem.empty(), "a pair is complete");
  if (credential.token) check(!credential.token->empty(), "a token is not empty");
  const auto again = kube::parse_exec_credential(spec, answer(spec, credential));
  check(again.ok(), "what was accepted is accepted again");
  check(again->token.has_value() == credential.token.has_value() &&
            (!again->token || again->token->reveal() == credential.token->reveal()) &&
            again->certificate_pem == credential.certificate_pem &&
            again->key_pem.reveal() == credential.key_pem.reveal() &&
            again->expires.has_value() == credential.expires.has_value(),
        "and is the same credential");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  kube::ExecSpec spec;
  spec.api_version = input.one_of(kVersions);
  spec.command = "plugin";
  const auto credential = kube::parse_exec_credential(spec, input.rest());
  credential.ok() ? accepted(spec, *credential) : refused(credential.error(), input.rest());

  spec.cluster.set("server", base::repair_utf8(std::string(input.rest())));
  const std::string info = kube::exec_info(spec);
  check(json::parse(info).ok() && !info.contains('\n'),
        "the input of a plugin is one line of JSON");
  return 0;
}
