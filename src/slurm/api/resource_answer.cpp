// SPDX-License-Identifier: Apache-2.0
#include "json/decode.h"
#include "slurm/api/answer.h"
#include "slurm/api/job_answer.h"
#include "slurm/api/job_node.h"

namespace slurm::inline api {
namespace wire {

struct Gres {
  std::string name, type;
  std::uint32_t count = 0;
  std::string index;
};
BOOST_DESCRIBE_STRUCT(Gres, (), (name, type, count, index))

struct Layout {
  std::string node;
  std::uint64_t mem_alloc = 0;
  std::string core_bitmap;
  std::vector<Gres> gres;
};
BOOST_DESCRIBE_STRUCT(Layout, (), (node, mem_alloc, core_bitmap, gres))

struct Layouts {
  std::vector<Layout> nodes;
};
BOOST_DESCRIBE_STRUCT(Layouts, (), (nodes))

struct Memory {
  std::uint64_t allocated = 0;
};
BOOST_DESCRIBE_STRUCT(Memory, (), (allocated))

struct JobNode {
  std::string name;
  Memory memory;
};
BOOST_DESCRIBE_STRUCT(JobNode, (), (name, memory))

struct JobNodes {
  std::vector<JobNode> allocation;
};
BOOST_DESCRIBE_STRUCT(JobNodes, (), (allocation))

struct JobResources {
  JobNodes nodes;
};
BOOST_DESCRIBE_STRUCT(JobResources, (), (nodes))

struct RunningJob {
  JobResources job_resources;
};
BOOST_DESCRIBE_STRUCT(RunningJob, (), (job_resources))

}  // namespace wire

base::Result<std::vector<NodeAllocation>> allocations(const net::http::Response& answer) {
  json::Parser parser;
  TRY(const json::Node root, read(answer, parser));
  TRY(wire::Layouts wire, json::decode<wire::Layouts>(root));
  std::vector<NodeAllocation> all;
  for (wire::Layout& layout : wire.nodes) {
    NodeAllocation& one = all.emplace_back();
    one.node = SlurmNodeName(std::move(layout.node));
    one.memory_mib = layout.mem_alloc;
    one.core_bitmap = std::move(layout.core_bitmap);
    for (wire::Gres& gres : layout.gres) {
      one.gres.push_back(
          {std::move(gres.name), std::move(gres.type), gres.count, std::move(gres.index)});
    }
  }
  return all;
}

base::Result<std::vector<NodeAllocation>> allocations_of_job(const net::http::Response& answer,
                                                             JobId id) {
  json::Parser parser;
  TRY(const json::Node node, job_node(answer, id, parser));
  TRY(wire::RunningJob wire, json::decode<wire::RunningJob>(node));
  std::vector<NodeAllocation> all;
  for (wire::JobNode& one : wire.job_resources.nodes.allocation) {
    all.push_back({SlurmNodeName(std::move(one.name)), one.memory.allocated, "", {}});
  }
  return all;
}

}  // namespace slurm::inline api
