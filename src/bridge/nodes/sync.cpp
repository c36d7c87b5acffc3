// SPDX-License-Identifier: Apache-2.0
#include "bridge/nodes/sync.h"

#include "bridge/nodes/cordon.h"
#include "workload/wellknown.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace bridge::nodes {
namespace {

using Known = DeviceFacts::Known;

constexpr std::string_view kOutOfService = "node.kubernetes.io/out-of-service";

bool is_ours(std::string_view reason) {
  return reason.starts_with(kOurReason);
}

std::string gone_reason(std::string_view node) {
  return fmt::format("{} Kubernetes node ({}) is gone", kOurReason, node);
}

bool is_gone_reason(std::string_view reason) {
  return is_ours(reason) && reason.ends_with(" is gone");
}

// Doubled prefix, as in SlinkyProject/slurm-bridge, so that a search for its text finds ours.
std::string removal_reason(const slurm::SlurmNodeName& name) {
  return fmt::format("{0} {0} removing external node {1}", kOurReason, name);
}

std::string renewal_reason(const kube::Node& node) {
  return fmt::format("{} Kubernetes node ({}) has other resources now, to be registered again",
                     kOurReason,
                     node.metadata.name);
}

std::set<std::string> as_set(const std::vector<std::string>& list) {
  return {list.begin(), list.end()};
}

// The decision about one node, rule by rule.
class NodePlanner {
 public:
  explicit NodePlanner(const NodeFacts& facts)
      : facts_(facts), kube_(facts.kube), slurm_(facts.slurm) {
    if (slurm_ != nullptr) mark_ = read_mark(slurm_->comment);
    if (kube_ != nullptr) unusable_ = unusable(*kube_);
  }

  NodeSteps decide() {
    if (mark_ && mark_->cluster != facts_.cluster) {
      if (kube_ != nullptr) report_taken();
      return std::move(result_);
    }
    registration();
    drain();
    taint();
    cordon();
    responding();
    return std::move(result_);
  }

 private:
  void add(NodeStep step) { result_.steps.push_back(std::move(step)); }
  void report(std::string reason, std::string message) {
    add(Report{kube::Severity::warning, std::move(reason), std::move(message)});
  }
  void report_taken() {
    report("SlurmNodeTaken",
           fmt::format("Slurm's node {} was registered by another Kubernetes cluster; give this "
                       "node another name in Slurm with the label {}",
                       facts_.name,
                       workload::kSlurmNodeNameLabel));
  }

  base::Result<Registration> wanted_registration() const {
    return registration_of(*kube_, facts_.devices.devices, facts_.name, facts_.cluster);
  }
  bool wanted() const { return kube_ != nullptr && asks_for_registration(*kube_); }
  // We created it or took it over: it may be removed.
  bool ours() const { return mark_ && slurm_->external() && slurm_->dynamic(); }
  bool out_of_use() const { return slurm_->draining() || slurm_->down(); }
  bool drained_by_us() const { return slurm_->draining() && is_ours(slurm_->reason); }
  const std::string* noted() const { return kube_ == nullptr ? nullptr : noted_reason(*kube_); }

  // --- registration of the node in Slurm ---

  void registration() {
    if (slurm_ == nullptr) {
      if (wanted()) make();
      return;
    }
    if (!wanted()) {
      if (ours()) plan_removal(removal_reason(facts_.name));
      return;
    }
    adopt();
    describe();
  }

  void make() {
    auto registration = wanted_registration();
    if (!registration.ok()) return report("NotRegisteredInSlurm", registration.error().message());
    if (facts_.devices.known == Known::not_yet) {
      if (!facts_.devices.missing.empty()) report("NotRegisteredInSlurm", facts_.devices.missing);
      return;
    }
    // Not before it can run pods: Slurm would use it at once.
    if (!unusable_) add(RegisterNode{std::move(*registration)});
  }

  void adopt() {
    const auto registration = wanted_registration();
    if (!registration.ok()) return;
    const bool unclaimed =
        !mark_ && slurm_->external() && slurm_->dynamic() && slurm_->comment.empty();
    // Not before its devices are known: without them in its mark it would be created again for
    // them.
    if (unclaimed && facts_.devices.known != Known::not_yet) take_over(*registration);
    if (ours()) renew(*registration);
  }

  bool lacks_gres(const Registration& wanted) const {
    return !wanted.node.gres.empty() && wanted.node.gres != slurm_->gres;
  }

  // The node was marked when its devices were not known.
  bool has_them_already(const Registration& wanted) const {
    return mark_->devices.empty() && !wanted.node.gres.empty() && !lacks_gres(wanted);
  }

  // A node that was created while Slurm ran and has no mark: of the reference, or ours from before
  // a crash.
  void take_over(const Registration& wanted) {
    NodeMark mark = wanted.mark;
    // The node is then created again with them. A node with GRES that no driver publishes keeps it.
    if (lacks_gres(wanted)) mark.devices.clear();
    add(MarkNode{std::move(mark)});
  }

  void renew(const Registration& wanted) {
    const NodeMark& now = wanted.mark;
    const bool other_size = mark_->cpus != now.cpus || mark_->memory_mib != now.memory_mib;
    const bool other_devices = facts_.devices.known == Known::yes && mark_->devices != now.devices;
    if (!other_size && other_devices && has_them_already(wanted)) return add(MarkNode{now});
    if (!other_size && !other_devices) {
      if (lacks_gres(wanted)) report_gres(wanted.node.gres);
      return;
    }
    // Creating it again would lose an administrator's drain.
    if (out_of_use() && !drained_by_us()) return;
    const bool silent = driver_is_silent(mark_->devices, now.devices);
    const base::Duration unsteady =
        (silent ? base::Duration(kSilentFor) : kSteadyFor) - facts_.devices.unchanged_for;
    const bool waits = !other_size && unsteady > base::Duration::zero();
    if (waits) result_.look_again = unsteady;
    plan_removal(renewal_reason(*kube_), waits ? Removal::later : Removal::when_idle);
  }

  void report_gres(const std::string& wanted) {
    report("DevicesUnknownInSlurm",
           fmt::format(
               "Slurm has not accepted the devices {} of its node {}, it has {}: add gpu to "
               "GresTypes of slurm.conf, restart slurmctld, then remove the label {} from this "
               "node and set it again",
               wanted,
               facts_.name,
               slurm_->gres.empty() ? "none" : slurm_->gres,
               workload::kExternalNodeLabel));
  }

  void describe() {
    const std::vector<std::string> features = wanted_partitions(*kube_);
    if (!features.empty() && as_set(features) != as_set(slurm_->features))
      add(ChangeFeatures{features});
    const bool says_place = kube_->metadata.annotations.contains(workload::kTopologySpec);
    const std::string& place = kube_->metadata.annotation(workload::kTopologySpec);
    if ((says_place || ours()) && place != slurm_->topology) add(ChangeTopology{place});
  }

  enum class Removal { when_idle, later };
  void plan_removal(std::string why, Removal when = Removal::when_idle) {
    removal_reason_ = std::move(why);
    if (when == Removal::when_idle && out_of_use() && !slurm_->busy()) add(RemoveNode{});
  }

  // --- foreign pods stay off Slurm's nodes ---

  void taint() {
    if (kube_ == nullptr) return;
    const kube::Taint ours = managed_taint(facts_.scheduler_name);
    const auto& taints = kube_->spec.taints;
    const auto same = std::ranges::find_if(taints, [&](const kube::Taint& taint) {
      return taint.key == ours.key && taint.effect == ours.effect;
    });
    const bool wanted = slurm_ != nullptr && facts_.options.taint;
    if (same == taints.end()) {
      if (wanted) add(AddTaint{});
    } else if (same->value == ours.value) {
      // A node that is about to be created again keeps it.
      const bool returns = facts_.options.taint && asks_for_registration(*kube_);
      if (!wanted && !returns) add(RemoveTaint{});
    } else if (wanted) {
      report("TaintedByAnother",
             fmt::format("the taint {} has the value {}, not {}: pods of this scheduler cannot run "
                         "here until it is removed",
                         ours.key,
                         same->value,
                         ours.value));
    }
  }

  // --- a node that Kubernetes cannot use is drained in Slurm ---

  void drain() {
    if (slurm_ == nullptr) return;
    if (out_of_use()) {
      if (drained_by_us() && !reason_to_drain()) undrain();
      return;
    }
    // Before all steps that may fail or be refused.
    if (const auto reason = reason_to_drain())
      result_.steps.insert(result_.steps.begin(), DrainNode{*reason});
  }

  std::optional<std::string> reason_to_drain() const {
    if (removal_reason_) return removal_reason_;
    if (kube_ == nullptr) {
      if (!slurm_->external()) return std::nullopt;  // it does not depend on Kubernetes
      if (!facts_.was_named.empty()) return gone_reason(facts_.was_named);
      // Our own reason: the drain was lost when slurmctld restarted.
      if (is_gone_reason(slurm_->reason)) return slurm_->reason;
      return std::nullopt;
    }
    // Before our own reasons: a drain with our reason would be removed together with ours.
    if (drain_lost_in_restart()) return *noted();
    return unusable_;
  }

  void undrain() {
    if (kube_ == nullptr) return;
    if (facts_.ready_for < kSteadyFor) {
      result_.look_again = kSteadyFor - facts_.ready_for;
    } else {
      add(UndrainNode{});
    }
  }

  // --- a node that Slurm does not use is cordoned in Kubernetes ---

  void cordon() {
    if (kube_ == nullptr) return;
    const bool unused = slurm_ != nullptr && out_of_use() && !drained_by_us();
    if (unused && facts_.options.cordon) return cordon_for(slurm_->reason);
    if (noted() == nullptr || drain_lost_in_restart()) return;
    cordoned(*kube_) == Cordoned::by_us ? add(Uncordon{}) : add(ForgetCordon{});
  }

  // A foreign cordon is left unchanged, and an administrator who removed our cordon overrides us.
  void cordon_for(const std::string& reason) {
    const Cordoned whose = cordoned(*kube_);
    const bool other_words = noted() != nullptr && *noted() != reason;
    if (noted() == nullptr ? whose == Cordoned::no : whose == Cordoned::by_us && other_words) {
      add(Cordon{reason});
    } else if (noted() != nullptr && whose != Cordoned::by_us) {
      if (!noted_as_lifted(*kube_) || other_words) add(NoteLifted{reason});
    }
  }

  // slurmctld has restarted: for a node in slurm.conf it loses the drain but keeps the reason,
  // while a manual undrain clears the reason. So the recorded drain was not ended.
  bool drain_lost_in_restart() const {
    return noted() != nullptr && !noted()->empty() && slurm_ != nullptr && !out_of_use() &&
           *noted() == slurm_->reason && facts_.options.cordon;
  }

  // --- nodes that Slurm cannot reach ---

  void responding() {
    if (slurm_ == nullptr || kube_ == nullptr) return;
    if (!slurm_->external() || !slurm_->not_responding()) return;
    const bool heals = facts_.options.healNotResponding && ours() && wanted() && !removal_reason_ &&
                       (!out_of_use() || drained_by_us());
    if (heals && !slurm_->busy()) return add(RemoveNode{});
    report(
        "NotRespondingInSlurm",
        fmt::format("Slurm once failed to reach its node {} (NOT_RESPONDING) and starts nothing "
                    "there until {}",
                    facts_.name,
                    heals ? "it is idle and created again"
                          : "it is created again or an administrator runs: scontrol reconfigure"));
  }

  const NodeFacts& facts_;
  const kube::Node* kube_;
  const slurm::Node* slurm_;
  std::optional<NodeMark> mark_;
  std::optional<std::string> unusable_;
  std::optional<std::string> removal_reason_;  // why the node is removed from Slurm
  NodeSteps result_;
};

}  // namespace

std::optional<std::string> unusable(const kube::Node& node) {
  const auto because = [&](std::string_view what) {
    return fmt::format("{} Kubernetes node ({}) is {}", kOurReason, node.metadata.name, what);
  };
  if (node.metadata.deleting()) return because("being deleted");
  if (std::ranges::any_of(node.spec.taints,
                          [](const kube::Taint& taint) { return taint.key == kOutOfService; }))
    return because("out of service");
  const kube::Condition* ready = node.readiness();
  if (ready != nullptr && ready->status == "Unknown") return because("unreachable");
  if (!node.ready()) return because("NotReady");
  if (cordoned(node) == Cordoned::by_others) {
    return fmt::format(
        "{} Corresponding Kubernetes node ({}) is unschedulable", kOurReason, node.metadata.name);
  }
  return std::nullopt;
}

kube::Taint managed_taint(const std::string& scheduler_name) {
  return {workload::kTaintKey, scheduler_name, "NoExecute"};
}

NodeSteps next_node_steps(const NodeFacts& facts) {
  return NodePlanner(facts).decide();
}

}  // namespace bridge::nodes
