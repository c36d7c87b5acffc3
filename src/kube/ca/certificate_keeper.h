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

// A client that must trust the authority: a webhook configuration, or a CustomResourceDefinition
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

// Maintains the certificates of a webhook: creates them at the first start, stores them in a Secret
// that all replicas share, renews them in time, and publishes the authority in the caBundle of
// every client.
//
// Expects     get, create and update on the Secret; get and patch on the clients. maintain() runs
//             in the leader only; follow() in every replica that serves.
// Guarantees  at every moment every client trusts the certificate in use (rotation.h). A write is
//             conditional on the version that was read, so that two leaders agree.
class CertificateKeeper {
 public:
  CertificateKeeper(Access access, CertificateKeeperOptions options);

  // For a WebhookServer: Kind::unavailable until the Secret was read.
  CertificateSource source();

  // Creates, renews and publishes, until its task is cancelled.
  net::Task<void> maintain();
  // Reads the Secret periodically and uses its content, until its task is cancelled.
  net::Task<void> follow();

  // One pass of each, for tests and for programs with their own loop.
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

// Converts to and from the data of the Secret. Kind::invalid if something is missing.
base::Result<WebhookCertificates> certificates_in(const Secret& secret);
Secret secret_of(const ObjectKey& key, const WebhookCertificates& certificates);

}  // namespace kube::inline ca
