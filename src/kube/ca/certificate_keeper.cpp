// SPDX-License-Identifier: Apache-2.0
#include "kube/ca/certificate_keeper.h"

#include "base/base64.h"
#include "kube/ca/ca_bundle.h"

#include <fmt/format.h>

#include <utility>

namespace kube::inline ca {

using base::Error;
using base::Kind;
using base::Result;

Result<WebhookCertificates> certificates_in(const Secret& secret) {
  WebhookCertificates found;
  std::string authority_key;
  std::string server_key;
  const std::pair<const char*, std::string*> parts[] = {{"ca.crt", &found.bundle},
                                                        {"ca.key", &authority_key},
                                                        {"tls.crt", &found.server.certificate},
                                                        {"tls.key", &server_key}};
  for (const auto& [name, text] : parts) {
    const auto data = secret.data.find(name);
    const auto decoded = data == secret.data.end() ? Result<std::string>(Error(Kind::invalid, ""))
                                                   : base::decode_base64(data->second);
    if (!decoded.ok() || decoded->empty()) {
      return Error(Kind::invalid,
                   fmt::format("Secret {} has no {}", secret.metadata.key().to_string(), name));
    }
    *text = *decoded;
  }
  // The authority is the first certificate of the bundle.
  constexpr std::string_view kEnd = "-----END CERTIFICATE-----\n";
  const std::size_t end = found.bundle.find(kEnd);
  found.authority.certificate =
      end == std::string::npos ? found.bundle : found.bundle.substr(0, end + kEnd.size());
  found.authority.key = base::Secret::consume(authority_key);
  found.server.key = base::Secret::consume(server_key);
  return found;
}

Secret secret_of(const ObjectKey& key, const WebhookCertificates& certificates) {
  Secret secret;
  secret.metadata.name = key.name;
  secret.metadata.namespace_ = key.ns;
  secret.type = "kubernetes.io/tls";
  secret.data = {{"ca.crt", base::encode_base64(certificates.bundle)},
                 {"ca.key", base::encode_base64(certificates.authority.key.reveal())},
                 {"tls.crt", base::encode_base64(certificates.server.certificate)},
                 {"tls.key", base::encode_base64(certificates.server.key.reveal())}};
  return secret;
}

CertificateKeeper::CertificateKeeper(Access access, CertificateKeeperOptions options)
    : access_(std::move(access)),
      options_(std::move(options)),
      secrets_(access_.loop, access_.client) {}

CertificateSource CertificateKeeper::source() {
  return [this]() -> Result<std::shared_ptr<net::ServerCertificate>> {
    if (in_use_) return in_use_;
    return Error(Kind::unavailable,
                 fmt::format("Secret {} with the webhook's certificate has not been read yet",
                             options_.secret.to_string()));
  };
}

// Returns true if every client already had the bundle.
net::Task<Result<bool>> CertificateKeeper::publish(std::string bundle) {
  bool all = true;
  for (const TrustingObject& client : options_.clients) {
    const Api<DynamicObject> api(access_.loop, access_.client, client.resource);
    CO_TRY(const std::optional<DynamicObject> live, co_await api.find({"", client.name}));
    if (!live) continue;  // it may be created later, and then gets the bundle
    auto patch = ca_bundle_patch(live->content, bundle);
    if (!patch) continue;
    all = false;
    CO_TRY_VOID(co_await api.patch({"", client.name}, PatchType::json, std::move(*patch)));
    access_.log.info("published the webhook's authority",
                     {{"resource", client.resource.plural}, {"name", client.name}});
  }
  co_return all;
}

net::Task<Result<void>> CertificateKeeper::store(WebhookCertificates certificates,
                                                 std::string version) {
  Secret secret = secret_of(options_.secret, certificates);
  if (version.empty()) {
    CO_TRY_VOID(co_await secrets_.create(secret));
  } else {
    secret.metadata.resourceVersion = std::move(version);
    CO_TRY_VOID(co_await secrets_.replace(secret));
  }
  co_return Result<void>();
}

net::Task<Result<void>> CertificateKeeper::maintain_once() {
  const base::WallTime now = access_.loop.clock().wall();
  CO_TRY(const std::optional<Secret> secret, co_await secrets_.find(options_.secret));
  if (!secret) {
    CO_TRY(WebhookCertificates first, first_certificates(options_.policy, now));
    CO_TRY_VOID(co_await store(first, ""));
    access_.log.info("created the webhook's certificates",
                     {{"secret", options_.secret.to_string()}});
    CO_TRY_VOID(co_await publish(first.bundle));
    co_return Result<void>();
  }
  CO_TRY(const WebhookCertificates held, certificates_in(*secret));
  CO_TRY(const bool published, co_await publish(held.bundle));
  const RotationStep step = next_rotation(held, published, now);
  if (step == RotationStep::nothing) co_return Result<void>();
  CO_TRY(WebhookCertificates next, rotated(held, step, options_.policy, now));
  CO_TRY_VOID(co_await store(std::move(next), secret->metadata.resourceVersion));
  access_.log.info("rotated the webhook's certificates",
                   {{"what", step == RotationStep::new_server ? "server" : "authority"}});
  co_return Result<void>();
}

net::Task<Result<void>> CertificateKeeper::follow_once() {
  CO_TRY(const Secret secret, co_await secrets_.get(options_.secret));
  if (secret.metadata.resourceVersion == used_version_) co_return Result<void>();
  CO_TRY(WebhookCertificates held, certificates_in(secret));
  if (in_use_) {
    CO_TRY_VOID(in_use_->replace(std::move(held.server)));
  } else {
    CO_TRY(in_use_, net::ServerCertificate::fixed(std::move(held.server)));
  }
  used_version_ = secret.metadata.resourceVersion;
  co_return Result<void>();
}

net::Task<void> CertificateKeeper::maintain() {
  constexpr auto kRetryInterval = std::chrono::seconds(5);
  for (;;) {
    const auto done = co_await maintain_once();
    if (!done.ok() && done.error().is(Kind::cancelled)) co_return;
    if (!done.ok() && !done.error().is(Kind::conflict))
      access_.log.warn("cannot maintain the webhook's certificates", {{"error", done.error()}});
    const base::Duration pause = done.ok() ? base::Duration(options_.interval) : kRetryInterval;
    if (!(co_await access_.loop.sleep_for(pause)).ok()) co_return;
  }
}

net::Task<void> CertificateKeeper::follow() {
  constexpr auto kRetryInterval = std::chrono::seconds(1);
  for (;;) {
    const auto done = co_await follow_once();
    if (!done.ok() && done.error().is(Kind::cancelled)) co_return;
    if (!done.ok() && in_use_)
      access_.log.warn("cannot read the webhook's certificate", {{"error", done.error()}});
    const base::Duration pause = in_use_ ? base::Duration(options_.interval) : kRetryInterval;
    if (!(co_await access_.loop.sleep_for(pause)).ok()) co_return;
  }
}

}  // namespace kube::inline ca
