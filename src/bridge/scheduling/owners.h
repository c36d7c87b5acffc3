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
// Guarantees  an owner of a thousand pods costs one GET a minute at most, and none while nobody
//             asks; a pod without a controller costs nothing; a name that was given to another
//             object is not taken for the owner.
// Does not    need more than `get` on the owners, and watches nothing.
class OwnerReader {
 public:
  OwnerReader(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube);

  // What the pod's owners say now, at most a minute old. Errors: not_found (the owner is gone, and
  // the pod soon will be), forbidden (of a kind that matters), or what passes by itself.
  net::Task<base::Result<workload::Ownership>> of(const kube::Pod& pod);

 private:
  // An owner as a pod in a namespace names it. Pods name what they like: the whole name is the key,
  // so that nobody reads from another namespace by knowing a uid.
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
