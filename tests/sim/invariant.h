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

// A request of one of our processes that has just taken effect.
struct Request {
  const std::string& process;
  System system;
  const net::http::Request& http;
  const net::http::Response& answer;
  base::Instant sent;      // by the process, which may be long before it took effect
  base::Instant answered;  // when the process hears of it; kNever if the answer is lost

  bool write() const { return http.method != "GET"; }
};

// Something that must hold whatever happens. It is told of everything that really happened, with
// the world as it is right after it, and calls World::broken() when that must not be.
class Invariant {
 public:
  Invariant() = default;
  Invariant(const Invariant&) = delete;
  Invariant& operator=(const Invariant&) = delete;
  virtual ~Invariant() = default;

  virtual std::string_view name() const = 0;      // "I1"
  virtual std::string_view sentence() const = 0;  // what it promises

  // A pod came, changed or went; either may be null.
  virtual void pod(World&, const PodTruth* /*before*/, const PodTruth* /*after*/) {}
  // A node object of Kubernetes came, changed or went.
  virtual void node(World&, const std::string& /*name*/) {}
  virtual void job(World&, const models::slurm::JobChange&) {}
  virtual void request(World&, const Request&) {}
  // After everything that happened at one instant.
  virtual void moment(World&) {}
  // When nothing happens any more: what is not yet as it should be. Asked again until it is empty
  // or time is over.
  virtual std::optional<std::string> unfinished(World&) { return std::nullopt; }
};

// All of them, new for each history. A new one is a file in tests/sim/invariants/ and a line here.
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
