// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/admission/identity.h"
#include "bridge/admission/review.h"
#include "bridge/admission/scope.h"

#include <optional>
#include <string>

// The two webhooks as functions. Both expect a pod in our scope: of a managed namespace, or one
// that names our scheduler.
namespace bridge::admission {

struct Rules {
  std::string scheduler_name;
  // The users who may change what the bridge writes; empty while our own name is unknown.
  std::optional<Users> bridge_users;
  TrustedNamespaces trusted;
};

// True if the pod is in scope because of its schedulerName, in any namespace.
bool names_our_scheduler(const Review& review, const std::string& scheduler_name);

// Completes new pods. Everything else is left unchanged.
Verdict mutate(const Review& review, const Rules& rules);

// Denies what Slurm cannot run and what only the bridge may change, and warns about costly
// settings.
Verdict validate(const Review& review, const Rules& rules);

}  // namespace bridge::admission
