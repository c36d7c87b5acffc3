// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/namespace_labels.h"

namespace bridge::admission {

using base::Result;

net::Task<Result<NamespaceLabels::Labels>> NamespaceLabels::of(std::string ns,
                                                               base::Instant deadline) {
  const kube::ObjectKey key{"", ns};
  if (const auto known = store_.synced() ? store_.find(key) : nullptr)
    co_return known->metadata.labels;
  CO_TRY(kube::Namespace read, co_await api_.until(deadline).get(key));
  co_return std::move(read.metadata.labels);
}

}  // namespace bridge::admission
