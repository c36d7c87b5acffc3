// SPDX-License-Identifier: Apache-2.0
// A pod and its owners: a JSON array of the pod and, in the order in which they are read, its
// owners. A string in place of an owner is the error of its read.
#include "fuzz/check.h"
#include "json/node.h"
#include "workload/ownership.h"
#include "workload/wellknown.h"

#include <set>
#include <vector>

namespace {

using base::Error;
using base::Kind;
using fuzz::check;
using workload::Ownership;

Error read_error(std::string_view name) {
  if (name == "forbidden") return Error(Kind::forbidden, "may not get it").with_status(403);
  if (name == "invalid") return Error(Kind::invalid, "is not served");
  if (name == "not_found") return Error(Kind::not_found, "is gone");
  return Error(Kind::unavailable, "no answer");
}

void check_result(const kube::Pod& pod, const Ownership& owners) {
  check(owners.kind == workload::RootKind::pod || !owners.root.empty(), "a root has a name");
  for (const auto& [name, value] : workload::job_annotations(pod, owners))
    check(name.starts_with(workload::kJobAnnotationPrefix), "only annotations for the job count");
  for (const auto& [name, value] : owners.annotations)
    check(workload::job_annotations(pod, owners).at(name) == value, "an owner overrides the pod");
  const auto limit = workload::time_limit_seconds(pod, owners);
  check(!limit || *limit > 0, "a time limit is positive");
}

// Walks up the chain; returns the number of owners that were read.
std::size_t walk_up(workload::OwnerWalk& walk, const std::vector<json::Node>& owners) {
  std::set<kube::Uid> seen;
  std::size_t read = 0;
  while (walk.next()) {
    check(seen.insert(walk.next()->uid).second, "no owner is read twice");
    check(seen.size() <= 32, "a walk ends");
    if (read == owners.size()) return read;
    const json::Node& one = owners[read];
    if (const auto name = one.as_string()) {
      const auto failed = walk.failed(read_error(*name));
      if (!failed.ok()) fuzz::check_message(failed.error());
      return read;
    }
    const auto owner = kube::decode_object<workload::Owner>(one);
    if (!owner.ok()) {
      check(!owner.error().message().empty(), "an error has a message");
      return read;
    }
    walk.read(*owner);
    ++read;
  }
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  json::Parser parser;
  const auto root = parser.parse(text);
  if (!root.ok()) return 0;
  std::vector<json::Node> all;
  root->each_element([&](const json::Node& element) {
    all.push_back(element);
    return true;
  });
  if (all.empty()) return 0;
  const auto pod = kube::decode_object<kube::Pod>(all.front());
  if (!pod.ok()) return 0;
  workload::OwnerWalk walk(*pod);
  const bool has_owner = walk.next().has_value();
  check(has_owner == (workload::controller_of(pod->metadata) != nullptr), "a controller is read");
  const std::size_t read = walk_up(walk, {all.begin() + 1, all.end()});
  if (read == 0) check(walk.result() == Ownership(), "owners that were not read have no effect");
  check_result(*pod, walk.result());
  return 0;
}
