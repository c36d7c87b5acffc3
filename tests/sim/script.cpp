// SPDX-License-Identifier: Apache-2.0
#include "script.h"

#include "base/integer.h"
#include "json/value.h"
#include "world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace sim {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using namespace std::chrono_literals;

using Words = std::vector<std::string>;

// Longer than job starts, job ends and explanations take.
constexpr auto kComesToRestWithin = 20s;
constexpr auto kForEver = 24h;
constexpr std::string_view kSmall = "small";  // a partition of two nodes, as on the dev cluster
constexpr std::string_view kSomebodyElse = "somebody";

Plan plan_of_scripts() {
  Plan plan;
  plan.seed = 1;
  plan.nodes = 6;
  plan.partitions = {{std::string(kSmall), {"n0", "n1"}, {}}, {"short", {}, 1}};
  return plan;
}

Words words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

// The annotation for a name in "name=value" of a step.
std::string annotation(std::string_view name) {
  const bool of_its_life = name == "run-seconds" || name == "exit";
  return fmt::format("{}/{}", of_its_life ? "slurm-bridge.dev" : "slurmjob.slinky.slurm.net", name);
}

// The reason of a waiting job as squeue shows it. For drained nodes Slurm shows one of two texts,
// which depends on the scheduler that examined the job last; both give NodesNotAvailable.
std::string why(const models::slurm::SlurmJob& job) {
  if (job.reason == "ReqNodeNotAvail" || job.description.starts_with("Nodes required for job are"))
    return "NodesNotAvailable";
  return job.description.empty() ? job.reason : job.description;
}

class Stage {
 public:
  Result<void> act(const Words& words) {
    const std::string& verb = words[0];
    const std::string on = words.size() > 1 ? words[1] : "";
    if (verb == "create") return create(on, {words.begin() + 2, words.end()});
    if (verb == "annotate") return annotate(on, {words.begin() + 2, words.end()});
    if (verb == "delete") return remove(on);
    if (verb == "scancel") return scancel(on);
    if (verb == "hold" || verb == "release") return hold(on, verb == "hold");
    if (verb == "fill" || verb == "empty") return fill(on, verb == "fill");
    if (verb == "drain" || verb == "undrain") return drain(on, verb == "drain");
    if (verb == "kill" && on == "bridge") return kill_bridge();
    if (verb == "stop") return stop(on);
    if (verb == "start") return start(on);
    if (verb == "wait") return wait(on);
    return Error(Kind::invalid, fmt::format("no such step: {}", fmt::join(words, " ")));
  }

  void come_to_rest() { world_.pass(kComesToRestWithin); }

  // One line for each pod of the script, ordered by name, and one for the other user's jobs. The
  // state of a stopped system is not shown, because a real one could not be read either.
  std::vector<std::string> observe() const {
    std::vector<std::string> lines;
    for (const std::string& name : names_)
      lines.push_back(fmt::format("    {}: {}; {}", name, pod_line(name), jobs_line(name)));
    if (filled_)
      lines.push_back(
          fmt::format("    {}: {}", kSomebodyElse, jobs_line(std::string(kSomebodyElse))));
    return lines;
  }

  const std::optional<Violation>& violation() const { return world_.violation(); }

 private:
  Result<void> create(const std::string& name, const Words& wishes) {
    names_.insert(name);
    json::Object annotations;
    for (const std::string& wish : wishes) {
      const auto equals = wish.find('=');
      annotations.set(annotation(wish.substr(0, equals)), wish.substr(equals + 1));
    }
    const json::Object requests{{"cpu", "1"}, {"memory", "1Gi"}};
    const json::Value pod = json::Object{
        {"metadata", json::Object{{"name", name}, {"annotations", annotations}}},
        {"spec",
         json::Object{
             {"schedulerName", kScheduler},
             {"restartPolicy", "Never"},
             {"containers",
              json::Array{json::Object{{"name", "main"},
                                       {"image", "none"},
                                       {"resources", json::Object{{"requests", requests}}}}}}}}};
    return send("POST", pods_path(), pod);
  }

  Result<void> annotate(const std::string& name, const Words& wishes) {
    json::Object annotations;
    for (const std::string& wish : wishes) {
      const auto equals = wish.find('=');
      const std::string value = wish.substr(equals + 1);
      annotations.set(annotation(wish.substr(0, equals)),
                      value.empty() ? json::Value() : json::Value(value));
    }
    return send("PATCH",
                pods_path() + "/" + name,
                json::Object{{"metadata", json::Object{{"annotations", annotations}}}});
  }

  Result<void> remove(const std::string& name) {
    return send("DELETE", pods_path() + "/" + name, json::Object());
  }

  Result<void> scancel(const std::string& name) {
    TRY(const std::uint32_t job, live_job(name));
    world_.slurm().end(job, "CANCELLED", "None");
    return {};
  }

  Result<void> hold(const std::string& name, bool held) {
    TRY(const std::uint32_t job, live_job(name));
    world_.slurm().hold(job, held);
    return {};
  }

  // Submits or cancels a job of another user that takes the whole partition.
  Result<void> fill(const std::string& partition, bool full) {
    if (!full) return scancel(std::string(kSomebodyElse));
    filled_ = true;
    models::slurm::SlurmJob job;
    job.name = kSomebodyElse;
    job.user = "slurm";
    job.partition = partition;
    job.external = true;
    job.exclusive = true;
    job.node_count = 2;
    (void)world_.slurm().submit(std::move(job));
    return {};
  }

  Result<void> drain(const std::string& partition, bool drained) {
    if (partition != kSmall) return Error(Kind::invalid, "only the nodes of small are drained");
    for (const char* node : {"n0", "n1"}) {
      if (drained) world_.slurm().drain(node, "broken fan");
      if (!drained) world_.slurm().undrain(node);
    }
    return {};
  }

  Result<void> kill_bridge() {
    world_.processes().front()->kill();
    return {};
  }

  Result<void> stop(const std::string& part) {
    const auto until = world_.now() + kForEver;
    away_ = part;
    if (part == "slurmrestd") {
      world_.faults().outage(System::slurm, Fault::refused, until);
    } else if (part == "slurmctld") {
      world_.faults().outage(System::slurm, Fault::no_controller, until);
    } else if (part == "apiserver") {
      world_.faults().outage(System::kube, Fault::refused, until);
      world_.network().cut_watches(false);
    } else {
      return Error(Kind::invalid, "cannot stop " + part);
    }
    return {};
  }

  Result<void> start(const std::string& part) {
    if (part == "bridge") {
      world_.processes().front()->start(2);
      return {};
    }
    world_.faults().clear();
    away_.clear();
    if (part == "slurmctld") world_.slurm().restart();
    return {};
  }

  Result<void> wait(const std::string& seconds) {
    const auto time = base::parse_integer<std::uint32_t>(seconds);
    if (!time) return Error(Kind::invalid, "wait: how many seconds?");
    world_.pass(std::chrono::seconds(*time));
    return {};
  }

  static std::string pods_path() { return fmt::format("/api/v1/namespaces/{}/pods", kNamespace); }

  Result<void> send(std::string method, std::string path, const json::Value& body) {
    const bool patch = method == "PATCH";
    net::http::Request request(std::move(method), std::move(path), body.dump());
    request.headers.emplace_back("Content-Type",
                                 patch ? "application/merge-patch+json" : "application/json");
    const auto answer = world_.as_user(std::move(request));
    if (answer.status >= 300) return Error(Kind::invalid, answer.body);
    return {};
  }

  Result<std::uint32_t> live_job(const std::string& name) const {
    for (const auto& [id, job] : world_.slurm().jobs()) {
      if (job.name == name && job.live()) return id;
    }
    return Error(Kind::invalid, fmt::format("{} has no live job", name));
  }

  std::string pod_line(const std::string& name) const {
    if (away_ == "apiserver") return "not to be seen";
    const PodTruth* pod = world_.pod_named(kNamespace, name);
    if (pod == nullptr) return "gone";
    Words says{pod->phase};
    if (pod->deleting) says.emplace_back("deleting");
    if (pod->bound()) says.emplace_back("bound");
    if (pod->job) says.emplace_back("labelled");
    if (pod->finalizer) says.emplace_back("finalizer");
    if (!pod->bound() && !pod->scheduled_reason.empty()) says.push_back(pod->scheduled_reason);
    return fmt::format("{}", fmt::join(says, " "));
  }

  // The states of all jobs with this name, oldest first.
  std::string jobs_line(const std::string& name) const {
    if (away_ == "slurmctld") return "jobs not to be seen";
    Words states;
    for (const auto& [id, job] : world_.slurm().jobs()) {
      if (job.name != name) continue;
      states.push_back(job.pending() ? fmt::format("{} {}", job.state, why(job)) : job.state);
    }
    if (states.empty()) return "no job";
    return fmt::format("job {}", fmt::join(states, ", "));
  }

  mutable World world_{plan_of_scripts(), World::Record::no};
  std::set<std::string> names_;
  bool filled_ = false;
  std::string away_;  // the part that is stopped
};

}  // namespace

Result<std::string> play(std::string_view text) {
  Stage stage;
  stage.come_to_rest();
  std::string played;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(' ')) continue;
    played += line + '\n';
    const Words words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (auto done = stage.act(words); !done.ok()) return std::move(done).error().in(line);
    stage.come_to_rest();
    if (const auto& broken = stage.violation())
      return Error(Kind::internal,
                   fmt::format("{}: {} broken: {}", line, broken->invariant, broken->what));
    for (const std::string& seen : stage.observe()) played += seen + '\n';
  }
  return played;
}

}  // namespace sim
