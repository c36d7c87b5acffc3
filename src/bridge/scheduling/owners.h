// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/ids.h"
#include "kube/api/resource.h"
#include "kube/client/client.h"
#include "net/async/shared_reads.h"
#include "workload/ownership.h"

#include <string>
#include <vector>

namespace bridge::scheduling {

// Reads the owners of pods.
//
// Guarantees  at most one successful GET per minute for one owner, however many pods it has, and
//             none without calls of of(); no request for a pod without a controller; an object with
//             the name but not the uid of the owner is not used.
// Does not    require more permissions than `get` on the owners; does not watch.
class OwnerReader {
 public:
  OwnerReader(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube);

  // The pod's owners, at most one minute old. Errors: not_found (the owner was deleted, and the
  // garbage collector will delete the pod), forbidden (for a kind that affects the job), or a
  // temporary error.
  net::Task<base::Result<workload::Ownership>> of(const kube::Pod& pod);

 private:
  // An owner reference of a pod in a namespace. Owner references may contain any text. All fields
  // are part of the cache key, so that a known uid does not give access to an owner in another
  // namespace.
  struct Named {
    kube::ObjectKey key;
    std::string apiVersion;
    std::string kind;
    kube::Uid uid;
    friend auto operator<=>(const Named&, const Named&) = default;
  };

  static Named named(const std::string& ns, const kube::OwnerReference& owner);
  net::Task<base::Result<workload::Owner>> read(Named owner);
  net::Task<base::Result<kube::Resource>> served(std::string apiVersion, std::string kind);
  net::Task<base::Result<std::vector<kube::Resource>>> discover(std::string apiVersion);
  net::Task<base::Result<workload::Ownership>> walk(workload::OwnerWalk walk, std::string ns);

  net::Loop& loop_;
  kube::Client& kube_;
  net::SharedReads<Named, workload::Owner> owners_;
  net::SharedReads<std::string, std::vector<kube::Resource>> kinds_;  // by apiVersion
};

}  // namespace bridge::scheduling
