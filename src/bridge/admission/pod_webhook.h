// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "bridge/admission/identity.h"
#include "bridge/admission/namespace_labels.h"
#include "bridge/admission/scope.h"
#include "bridge/admission/verdicts.h"
#include "kube/client/client.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/http/handler.h"
#include "telemetry/metrics.h"

#include <optional>
#include <string>

namespace bridge {

struct PodWebhookOptions {
  std::string scheduler_name;
  admission::ManagedNamespaces managed;
  admission::Users bridge_users;  // besides our own name
};

// Answers admission reviews of pods.
//
// Expects     loop, client and metrics outlive it; run() is a task of a group that ends before it.
// Guarantees  an AdmissionReview with a uid is answered with the same uid; if a namespace cannot be
//             looked up, the request is denied with the reason.
class PodWebhook {
 public:
  static constexpr std::string_view kMutatePath = "/mutate--v1-pod";
  static constexpr std::string_view kValidatePath = "/validate--v1-pod";

  PodWebhook(net::Loop& loop,
             kube::Client& kube,
             const base::Log& log,
             PodWebhookOptions options,
             telemetry::Metrics& metrics);

  // POST to one of the paths; any other request is answered with 4xx.
  net::Task<net::http::Answer> answer(net::http::Request request);

  // Reads its own user name, and watches the namespaces once a selector needs their labels.
  net::Task<void> run();
  // Sets the managed and the trusted namespaces.
  void apply(admission::ManagedNamespaces managed);

  // Success if it can answer, otherwise what is missing.
  base::Result<void> ready() const;

 private:
  using Judge = admission::Verdict (*)(const admission::Review&, const admission::Rules&);

  net::Task<net::http::Response> review(std::string body, std::string_view webhook, Judge judge);
  net::Task<admission::Verdict> verdict(json::Node document, Judge judge);
  net::Task<base::Result<bool>> in_scope(const admission::Review& review);
  net::Task<void> learn_own_name();
  net::Task<base::Result<void>> ask_for_own_name();
  void count(std::string_view webhook, std::string_view verdict, base::Instant began);

  net::Loop& loop_;
  kube::Client& kube_;
  base::Log log_;
  PodWebhookOptions options_;
  std::string own_namespace_;  // empty while unknown
  admission::Rules rules_;
  admission::NamespaceLabels namespaces_;
  net::Signal applied_;
  telemetry::Family<telemetry::Counter>& verdicts_;
  telemetry::Family<telemetry::Histogram>& seconds_;
};

}  // namespace bridge
