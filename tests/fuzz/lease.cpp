// SPDX-License-Identifier: Apache-2.0
// A Lease that another process wrote, and the decision of the election.
#include "fuzz/check.h"
#include "json/patch.h"
#include "kube/election/election_rule.h"

#include <limits>

namespace {

using fuzz::check;
using kube::ElectionStep;
using kube::Lease;
using namespace std::chrono_literals;

const kube::Candidate kMe{"me", 15s, base::WallTime(1'700'000'000s)};

Lease patched(json::Value document, const json::Object& patch) {
  json::apply_merge_patch(document, json::Value(patch));
  json::Parser parser;
  const std::string text = document.dump();
  const auto root = parser.parse(text);
  check(root.ok(), "a patched Lease is JSON");
  auto lease = kube::decode_object<Lease>(*root);
  check(lease.ok(), "and a Lease");
  return *std::move(lease);
}

void steps(const Lease& lease) {
  const base::Instant start{1000h};
  kube::ObservedLease observed;
  observed.saw(lease, start);
  observed.saw(lease, start + 5s);
  check(observed.since() == start, "an unchanged Lease proves nothing");
  const auto step = [&](base::Duration later) {
    return next_step(observed, kMe.identity, start + later, kMe.lease);
  };
  const std::string holder = observed.holder();
  if (holder.empty())
    return check(step(0s) == ElectionStep::take, "a Lease without a holder is taken");
  if (holder == kMe.identity) return check(step(0s) == ElectionStep::renew, "our own is renewed");
  check(step(0s) == ElectionStep::wait, "a holder that was just seen leads");
  const std::chrono::seconds longest(std::numeric_limits<std::int32_t>::max());
  check(step(longest) == ElectionStep::take, "no holder leads for ever");
}

void patches(const json::Value& document, const Lease& lease) {
  const Lease taken = patched(document, take_patch(lease, kMe));
  check(taken.spec.holderIdentity == kMe.identity, "a taken Lease is ours");
  const std::int32_t before = lease.spec.leaseTransitions;
  const bool countable = before >= 0 && before < std::numeric_limits<std::int32_t>::max();
  check(taken.spec.leaseTransitions == (countable ? before + 1 : 0), "and counts one more holder");
  const Lease renewed = patched(document, renew_patch(lease, kMe));
  check(renewed.spec.holderIdentity == kMe.identity, "a renewed Lease is ours");
  check(renewed.spec.acquireTime == lease.spec.acquireTime &&
            renewed.spec.leaseTransitions == lease.spec.leaseTransitions,
        "and ours since the same time");
  const Lease released = patched(document, release_patch(lease, kMe));
  check(released.spec.holderIdentity.empty(), "a released Lease has no holder");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = json::parse({reinterpret_cast<const char*>(data), size});
  if (!read.ok()) return 0;
  // As a tree, without repeated members: parsers differ in which of them counts.
  const json::Value& document = *read;
  const std::string text = document.dump();
  json::Parser parser;
  const auto root = parser.parse(text);
  check(root.ok(), "a tree is written as JSON");
  const auto lease = kube::decode_object<Lease>(*root);
  if (!lease.ok()) {
    fuzz::check_message(lease.error());
    return 0;
  }
  steps(*lease);
  if (document.as_object() != nullptr) patches(document, *lease);
  return 0;
}
