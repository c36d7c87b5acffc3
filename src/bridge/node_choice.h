// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/exclusions.h"
#include "bridge/picture.h"
#include "bridge/volumes.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bridge {

// Which of Slurm's nodes a pod's job must leave out, by what is known of them at this moment.
class NodeChoice {
 public:
  NodeChoice(Picture& picture, VolumeReader& volumes) : picture_(picture), volumes_(volumes) {}

  // Nothing can be said before this.
  bool ready() const { return picture_.slurm_nodes().synced(); }

  // `avoid`: was tried and could not take the pod. Errors: those of VolumeReader::of(), and
  // unavailable while another pod has a claim that one pod at a time may use.
  net::Task<base::Result<Exclusions>> of(std::shared_ptr<const kube::Pod> pod,
                                         std::string partition,
                                         std::set<slurm::SlurmNodeName> avoid);

 private:
  Picture& picture_;
  VolumeReader& volumes_;
};

// Says which other pod has one of these claims of the pod's, which one pod at a time may use.
std::optional<std::string> claim_in_use(const Picture& picture,
                                        const kube::Pod& pod,
                                        const std::vector<std::string>& for_one_pod);

}  // namespace bridge
