// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/node.h"
#include "kube/api/pod.h"
#include "kube/client/client.h"
#include "net/async/shared_reads.h"
#include "workload/volume_places.h"

namespace bridge::scheduling {

// Whether the pod has volume claims.
bool has_claims(const kube::Pod& pod);

// Reads on which nodes the volumes of a pod can be used, and requests volumes for a node.
//
// Guarantees  no request for a pod without claims.
// Does not    watch; does not read the free capacity of CSI drivers: the claim of a volume that
//             cannot be provisioned on the node stays unbound.
class VolumeReader {
 public:
  VolumeReader(net::Loop& loop, net::TaskGroup& tasks, kube::Client& kube);

  // Errors: not_found (a claim does not exist), unavailable (a claim has no volume and does not
  // wait for the pod), or the error of the API server.
  net::Task<base::Result<workload::VolumePlaces>> of(const kube::Pod& pod);

  struct Prepared {
    bool ready = true;  // all claims are bound; false: in progress, call again later
    // Names of claims with ReadWriteOncePod.
    std::vector<std::string> for_one_pod;
  };
  // Requests the volumes that wait for the pod's node. Call before the pod is bound. Kind::conflict
  // if the pod cannot start on this node: the volume or the selected node of a claim is elsewhere,
  // or no free volume of this node matches a claim.
  net::Task<base::Result<Prepared>> prepare(const kube::Pod& pod, const kube::Node& node);

  // The pod will not be bound to the node: removes the selected node from claims that have no
  // volume yet. Otherwise the claims would restrict the pod to a node that was released.
  net::Task<base::Result<void>> release(const kube::Pod& pod, std::string node);

 private:
  template <class T>
  net::Task<base::Result<T>> read(kube::ObjectKey key);
  // A claim and the objects that place_of() requires.
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
  // Whether the claim is bound. Errors: those of prepare().
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
  // The list of all volumes: one entry with an empty key.
  net::SharedReads<std::string, std::vector<kube::PersistentVolume>> all_volumes_;
};

}  // namespace bridge::scheduling
