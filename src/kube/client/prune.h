// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/owner_reference.h"
#include "kube/client/api.h"

#include <set>
#include <vector>

// Pruning: deletes what a controller made earlier and no longer wants.
namespace kube::inline client {

// Which objects a controller made, and which of them it still wants.
struct PruneOptions {
  ListOptions made;            // its label_selector must not be empty: it names the maker
  std::set<ObjectKey> wanted;  // these stay
  Uid owner = {};              // if given, only objects that this owner controls
  Propagation propagation = Propagation::background;
};

// The objects to delete: made, not wanted, of that owner, and not being deleted already.
std::vector<PartialObject> unwanted(const std::vector<PartialObject>& live,
                                    const PruneOptions& options);

// Deletes them, each by its uid, and returns their keys. An object that is gone meanwhile, or has
// been replaced by a namesake, is left alone and does not count.
//
// Errors      invalid  without a label selector everything would be deleted
net::Task<base::Result<std::vector<ObjectKey>>> prune(Api<PartialObject> objects,
                                                      PruneOptions options);

}  // namespace kube::inline client
