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
  // Who may change what the bridge writes; empty while we do not know our own name.
  std::optional<Users> bridge_users;
  TrustedNamespaces trusted;
};

// Whether the pod is in scope by its own words, wherever it is.
bool names_our_scheduler(const Review& review, const std::string& scheduler_name);

// Completes new pods. Everything else is left as it is.
Verdict mutate(const Review& review, const Rules& rules);

// Refuses what Slurm cannot do and what only the bridge may, and warns of what is costly.
Verdict validate(const Review& review, const Rules& rules);

}  // namespace bridge::admission
