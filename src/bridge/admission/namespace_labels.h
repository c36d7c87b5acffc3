// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "kube/api/namespace.h"
#include "kube/cache/reflector.h"
#include "kube/cache/store.h"
#include "kube/client/api.h"
#include "net/async/loop.h"

#include <map>
#include <string>

namespace bridge::admission {

// The labels of namespaces, cached with a watch.
//
// Guarantees  a namespace that the watch has not reported yet is read, so that the first pod of a
//             new namespace is judged correctly; an error never counts as "no labels".
class NamespaceLabels {
 public:
  using Labels = std::map<std::string, std::string>;

  NamespaceLabels(net::Loop& loop, kube::Client& kube, const base::Log& log)
      : api_(loop, kube), reflector_(loop, kube, {kube::kNamespaces, "", "", ""}, store_, log) {}

  net::Task<void> run() { return reflector_.run(); }
  bool synced() const { return store_.synced(); }

  net::Task<base::Result<Labels>> of(std::string ns, base::Instant deadline);

 private:
  kube::Api<kube::Namespace> api_;
  kube::Store<kube::Namespace> store_;
  kube::Reflector reflector_;
};

}  // namespace bridge::admission
