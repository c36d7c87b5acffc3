// SPDX-License-Identifier: Apache-2.0
#include "kube/client/prune.h"

namespace kube::inline client {

using base::Error;
using base::Kind;
using base::Result;

std::vector<PartialObject> unwanted(const std::vector<PartialObject>& live,
                                    const PruneOptions& options) {
  std::vector<PartialObject> result;
  for (const PartialObject& object : live) {
    const bool is_its_own =
        options.owner.value().empty() || is_controlled_by(object.metadata, options.owner);
    if (is_its_own && !object.metadata.deleting() &&
        !options.wanted.contains(object.metadata.key())) {
      result.push_back(object);
    }
  }
  return result;
}

net::Task<Result<std::vector<ObjectKey>>> prune(Api<PartialObject> objects, PruneOptions options) {
  if (options.made.label_selector.empty())
    co_return Error(Kind::invalid, "prune needs a label selector: it would delete everything");
  CO_TRY(const std::vector<PartialObject> live, co_await objects.list(options.made));
  std::vector<ObjectKey> deleted;
  for (const PartialObject& object : unwanted(live, options)) {
    DeleteOptions how;
    how.uid = object.metadata.uid;
    how.propagation = options.propagation;
    const auto outcome = co_await objects.remove(object.metadata.key(), std::move(how));
    if (outcome.ok()) {
      deleted.push_back(object.metadata.key());
    } else if (!outcome.error().is(Kind::not_found) && !outcome.error().is(Kind::conflict)) {
      co_return outcome.error();
    }
  }
  co_return deleted;
}

}  // namespace kube::inline client
