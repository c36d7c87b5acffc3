// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults.h"
#include "models/kube/server.h"
#include "models/slurm/cluster.h"
#include "net/http_wire/http.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

class World;
struct PodTruth;

// A request of a bridge process that has just taken effect.
struct Request {
  const std::string& process;
  System system;
  const net::http::Request& http;
  const net::http::Response& answer;
  base::Instant sent;      // may be long before it took effect
  base::Instant answered;  // when the process gets the answer; kNever if it is lost

  bool write() const { return http.method != "GET"; }
};

// The check of one guarantee. Its functions are called after each actual change, with the world
// as it is after the change, and call World::broken() on a violation.
class Invariant {
 public:
  Invariant() = default;
  Invariant(const Invariant&) = delete;
  Invariant& operator=(const Invariant&) = delete;
  virtual ~Invariant() = default;

  virtual std::string_view name() const = 0;      // "I1"
  virtual std::string_view sentence() const = 0;  // the guarantee

  // A pod was created (`before` is null), changed or deleted (`after` is null).
  virtual void pod(World&, const PodTruth* /*before*/, const PodTruth* /*after*/) {}
  // A Kubernetes Node was created, changed or deleted.
  virtual void node(World&, const std::string& /*name*/) {}
  virtual void job(World&, const models::slurm::JobChange&) {}
  virtual void request(World&, const Request&) {}
  // Called after all changes of one instant.
  virtual void moment(World&) {}
  // Called after the last action, when no faults are left: what is not yet in its final state.
  // Repeated until it is empty; it is a violation if that takes too long.
  virtual std::optional<std::string> unfinished(World&) { return std::nullopt; }
};

// New objects of all invariants, for one history. To add an invariant, add a file in
// tests/sim/invariants/, a line in all.cpp and a line below.
std::vector<std::unique_ptr<Invariant>> make_invariants();

std::unique_ptr<Invariant> one_job_per_pod();           // I1
std::unique_ptr<Invariant> holds_while_its_job_does();  // I2
std::unique_ptr<Invariant> nothing_deleted_on_doubt();  // I3
std::unique_ptr<Invariant> every_ended_pod_frees();     // I4
std::unique_ptr<Invariant> waiting_delays_nobody();     // I5
std::unique_ptr<Invariant> drains_are_respected();      // I6
std::unique_ptr<Invariant> nothing_is_lost();           // I7
std::unique_ptr<Invariant> quiet_is_silent();           // I8
std::unique_ptr<Invariant> foreign_is_untouched();      // I9
std::unique_ptr<Invariant> refusals_are_told();         // I10
std::unique_ptr<Invariant> bound_where_it_fits();       // I11
std::unique_ptr<Invariant> disruptions_are_told();      // I12

}  // namespace sim
