// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/admission/review.h"
#include "kube/admission/webhook_server.h"
#include "kube/ca/certificate_keeper.h"
#include "kube/client/access.h"
#include "kube/runner/runner.h"
#include "operator/process/stores.h"
#include "operator/settle/cluster.h"

#include <string>

namespace slurmop::process {

// Validates a SlurmCluster as the reconciler does, with the NodeSets that exist. Fields without effect
// are warnings.
kube::AdmissionVerdict judge_cluster(const Stores& stores,
                                     const settle::Defaults& defaults,
                                     const json::Value& cluster);
// Validates a NodeSet, alone and together with its cluster; errors that only concern the cluster do not
// count.
kube::AdmissionVerdict judge_node_set(const Stores& stores,
                                      const settle::Defaults& defaults,
                                      const json::Value& node_set);

// Paths of the webhooks, as controller-runtime names them.
inline constexpr const char* kClusterPath = "/validate-slurm-nebius-ai-v1-slurmcluster";
inline constexpr const char* kNodeSetPath = "/validate-slurm-nebius-ai-v1alpha1-nodeset";

struct WebhookOptions {
  net::ListenAddress address = {"", 9443};
  kube::ObjectKey secret;     // with the certificates
  std::string service;        // in the namespace of the Secret
  std::string configuration;  // the ValidatingWebhookConfiguration that gets the caBundle
};

// The validating webhook with its own certificates.
//
// Expects     everything given outlives it.
// Guarantees  an update that does not change the spec is allowed, so that a stricter validation does
//             not block finalizers and labels of existing resources.
class Webhook {
 public:
  Webhook(const kube::Access& access,
          const Stores& stores,
          settle::Defaults defaults,
          WebhookOptions options);

  // Serves in every replica; the leader renews the certificates.
  void add_to(kube::Runner& runner);

 private:
  using Judge = kube::AdmissionVerdict (*)(const Stores&,
                                           const settle::Defaults&,
                                           const json::Value&);
  kube::AdmissionHandler handler(Judge judge);

  const Stores& stores_;
  settle::Defaults defaults_;
  kube::CertificateKeeper certificates_;
  kube::WebhookServer server_;
};

}  // namespace slurmop::process
