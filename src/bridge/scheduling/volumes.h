// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/api/pod.h"
#include "kube/client/client.h"
#include "net/async/shared_reads.h"
#include "workload/volume_places.h"

namespace bridge::scheduling {

// Whether the pod uses volumes that have a place of their own.
bool has_claims(const kube::Pod& pod);

// Where the volumes of pods let them run, and has volumes made for a node.
//
// Guarantees  a pod without claims costs no call.
// Does not    watch anything, nor look at the free capacity of CSI drivers: a volume that cannot be
//             made on the node is seen by its claim staying unbound.
class VolumeReader {
 public:
  VolumeReader(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube);

  // Errors: not_found (a claim that is not there), unavailable (a claim without a volume that does
  // not wait for the pod), or what the API server said.
  net::Task<base::Result<workload::VolumePlaces>> of(const kube::Pod& pod);

  struct Prepared {
    bool ready = true;  // all claims are bound; else that is under way: call again in a moment
    // Names of claims that one pod at a time may use.
    std::vector<std::string> for_one_pod;
  };
  // To be called before the pod is bound: asks for the volumes that wait for the pod's node. A
  // claim that another node was chosen for, or that no volume of this node can serve, is an error
  // of kind conflict: the pod cannot start there.
  net::Task<base::Result<Prepared>> prepare(const kube::Pod& pod, const kube::Node& node);

  // The pod will not be bound to that node after all: what was asked for there and is not made yet
  // may be made elsewhere. Else the claim would tie the pod to a node that it gave back.
  net::Task<base::Result<void>> release(const kube::Pod& pod, std::string node);

 private:
  template <class T>
  net::Task<base::Result<T>> read(kube::ObjectKey key);
  // A claim with what place_of() wants to know.
  struct Claim {
    std::shared_ptr<const kube::PersistentVolumeClaim> claim;
    std::shared_ptr<const kube::PersistentVolume> volume;
    std::shared_ptr<const kube::StorageClass> storage_class;
    std::shared_ptr<const std::vector<kube::PersistentVolume>> volumes;

    workload::ClaimFacts facts() const;
  };
  net::Task<base::Result<Claim>> look_at(kube::ObjectKey key);
  net::Task<base::Result<std::vector<kube::PersistentVolume>>> list_volumes(std::string);
  net::Task<base::Result<workload::VolumePlaces>> places(std::vector<kube::ObjectKey> claims);
  net::Task<base::Result<Prepared>> prepare_all(std::vector<kube::ObjectKey> claims,
                                                kube::Node node);
  // Whether it is ready; errors as those of prepare().
  net::Task<base::Result<bool>> prepare_one(const Claim& claim, const kube::Node& node);
  net::Task<base::Result<void>> release_all(std::vector<kube::ObjectKey> claims, std::string node);
  net::Task<base::Result<bool>> take_free_volume(const Claim& claim, const kube::Node& node);
  // Merges `change` into that version of the object.
  net::Task<base::Result<void>> write(kube::Resource resource,
                                      const kube::ObjectMeta& object,
                                      json::Object change);

  net::Loop& loop_;
  kube::Client& kube_;
  net::SharedReads<kube::ObjectKey, kube::PersistentVolumeClaim> claims_;
  net::SharedReads<kube::ObjectKey, kube::PersistentVolume> volumes_;
  net::SharedReads<kube::ObjectKey, kube::StorageClass> classes_;
  // By nothing: there is one list of all volumes.
  net::SharedReads<std::string, std::vector<kube::PersistentVolume>> all_volumes_;
};

}  // namespace bridge::scheduling
