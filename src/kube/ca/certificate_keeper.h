// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/admission/webhook_server.h"
#include "kube/api/config_map.h"
#include "kube/ca/rotation.h"
#include "kube/client/access.h"
#include "kube/client/api.h"
#include "net/transport/server_certificate.h"

#include <memory>
#include <string>
#include <vector>

namespace kube::inline ca {

// A client that has to trust the authority: a webhook configuration, or a CustomResourceDefinition
// with a conversion webhook.
struct TrustingObject {
  Resource resource;
  std::string name;
};

struct CertificateKeeperOptions {
  ObjectKey secret;  // of type kubernetes.io/tls
  RotationPolicy policy;
  std::vector<TrustingObject> clients;
  std::chrono::seconds interval = std::chrono::seconds(60);
};

// Keeps the certificates of a webhook: made at the first start, kept in a Secret that all replicas
// share, renewed in time, and published in every client's caBundle.
//
// Expects     get, create and update on the Secret; get and patch on the clients. maintain() in the
//             leader only; follow() in every replica that serves.
// Guarantees  at every moment the certificate in use is one that every client trusts (rotation.h).
//             A write is conditional on the version that was read, so that two leaders agree.
class CertificateKeeper {
 public:
  CertificateKeeper(Access access, CertificateKeeperOptions options);

  // For a WebhookServer: Kind::unavailable until the Secret was read.
  CertificateSource source();

  // Makes, renews and publishes, until its task is cancelled.
  net::Task<void> maintain();
  // Reads the Secret now and then and uses what it holds, until its task is cancelled.
  net::Task<void> follow();

  // One pass of each, for tests and for programs with a loop of their own.
  net::Task<base::Result<void>> maintain_once();
  net::Task<base::Result<void>> follow_once();

 private:
  net::Task<base::Result<bool>> publish(std::string bundle);
  net::Task<base::Result<void>> store(WebhookCertificates certificates, std::string version);

  Access access_;
  CertificateKeeperOptions options_;
  Api<Secret> secrets_;
  std::string used_version_;
  std::shared_ptr<net::ServerCertificate> in_use_;
};

// The Secret's data, and back. Kind::invalid if something is missing.
base::Result<WebhookCertificates> certificates_in(const Secret& secret);
Secret secret_of(const ObjectKey& key, const WebhookCertificates& certificates);

}  // namespace kube::inline ca
