// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/owner_reference.h"
#include "kube/client/api.h"

#include <set>
#include <vector>

// Pruning: deletes objects that a controller created earlier and no longer wants.
namespace kube::inline client {

// The objects that a controller created, and those that it still wants.
struct PruneOptions {
  ListOptions made;            // its label_selector must not be empty: it identifies the controller
  std::set<ObjectKey> wanted;  // these are kept
  Uid owner = {};              // if set, only objects that this owner controls
  Propagation propagation = Propagation::background;
};

// Returns the objects to delete: created, not wanted, of that owner, and not being deleted already.
std::vector<PartialObject> unwanted(const std::vector<PartialObject>& live,
                                    const PruneOptions& options);

// Deletes them, each by its uid, and returns their keys. An object that no longer exists, or was
// replaced by another one of the same name, is neither deleted nor returned.
//
// Errors      invalid  without a label selector everything would be deleted
net::Task<base::Result<std::vector<ObjectKey>>> prune(Api<PartialObject> objects,
                                                      PruneOptions options);

}  // namespace kube::inline client
