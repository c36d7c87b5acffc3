// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults.h"
#include "models/actors/agenda.h"
#include "models/kube/server.h"
#include "models/slurm/cluster.h"
#include "net/async/loop.h"
#include "net/async/waiter.h"
#include "net/http_wire/http.h"
#include "timeline.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sim {

using models::actors::Agenda;

// Wakes a task of a process from outside its loop, and sets the flag that the process has to run.
class Bell {
 public:
  Bell(net::Loop& loop, bool& stirred) : waiter_(loop), stirred_(stirred) {}

  net::Task<net::Waiter::Woken> until(base::Instant when) { return waiter_.until(when); }
  void ring() {
    stirred_ = true;
    waiter_.call();
  }

 private:
  net::Waiter waiter_;
  bool& stirred_;
};

// One request and its answer. Shared by sender and network, because a request also arrives if its
// sender dies before.
struct Exchange {
  explicit Exchange(net::http::Request sent) : request(std::move(sent)) {}

  net::http::Request request;
  std::string sender;
  std::uint64_t slurm_life = 0;  // number of restarts of slurmctld when it was sent
  base::Instant sent_at{};
  base::Instant answered_at = base::kNever;  // when the sender gets the answer
  std::optional<base::Result<net::http::Response>> outcome;
  std::optional<models::kube::WatchCursor> watch;  // set if the request is an accepted watch
  Bell* waiting = nullptr;

  void settle(base::Result<net::http::Response> with) {
    if (outcome) return;
    outcome.emplace(std::move(with));
    if (waiting != nullptr) waiting->ring();
  }
};

// An open watch, with the text that has arrived at its client.
struct OpenWatch {
  models::kube::WatchCursor cursor;
  std::string arrived;
  bool ended = false;
  bool broken = false;
  bool stalled = false;  // half-open connection: neither text nor end arrives
  bool reading = false;  // a delivery is on the agenda
  Bell* waiting = nullptr;

  void wake() {
    if (waiting != nullptr) waiting->ring();
  }
};

// Called around each request, to crash processes and to check invariants.
struct NetworkHooks {
  // Returns false if the sender crashes before it sends.
  std::function<bool(const std::string& sender, System, const net::http::Request&)> before;
  // The request takes effect now. Changes until `after` are made by its sender.
  std::function<void(const Exchange&)> arrives;
  std::function<void(const Exchange&, System, const net::http::Response&)> after;
};

// The network between the processes and both systems.
class Network {
 public:
  Network(Agenda& agenda, Chance& chance, Faults& faults, Timeline& timeline);

  void connect(models::kube::KubeServer& kube, models::slurm::SlurmCluster& slurm);
  void set_hooks(NetworkHooks hooks) { hooks_ = std::move(hooks); }

  std::shared_ptr<Exchange> send(const std::string& sender,
                                 System system,
                                 net::http::Request request);
  // Opens the watch of an accepted watch request.
  std::shared_ptr<OpenWatch> watch(models::kube::WatchCursor cursor);

  // Ends all watches: regularly, or in the middle of a line.
  void cut_watches(bool in_good_order);
  void stall_watches();
  // slurmctld ended: requests that were sent to it and have not arrived are lost.
  void slurm_died() { ++slurm_lives_; }
  // Whether a client still reads from a stalled watch.
  bool any_silent() const;
  // Requests whose sender waits for an answer.
  std::vector<std::weak_ptr<Exchange>> under_way();
  static bool is_awaited(const std::weak_ptr<Exchange>& exchange);
  // The number of writes that were sent and have not arrived.
  std::uint64_t writes_under_way() const { return writes_under_way_; }
  // The next `count` lists are answered with the state of this moment.
  void serve_stale_lists(std::uint64_t count);

 private:
  void deliver(const std::shared_ptr<Exchange>& exchange, System system, Fate fate);
  net::http::Response act(Exchange& exchange, System system);
  void wait_for_controller(const std::shared_ptr<Exchange>& exchange, Fate fate);
  net::http::Response open_watch(Exchange& exchange);
  net::http::Response stale_list(net::http::Request request);
  void answer(const std::shared_ptr<Exchange>& exchange,
              base::Result<net::http::Response> with,
              base::Duration back);
  void feed(const std::shared_ptr<OpenWatch>& watch);
  void remind(const std::shared_ptr<OpenWatch>& watch);
  void objects_changed();
  void note(const Exchange& exchange, System system, const Fate& fate, std::string_view outcome);

  Agenda& agenda_;
  Chance& chance_;
  Faults& faults_;
  Timeline& timeline_;
  models::kube::KubeServer* kube_ = nullptr;
  models::slurm::SlurmCluster* slurm_ = nullptr;
  NetworkHooks hooks_;
  std::vector<std::shared_ptr<OpenWatch>> watches_;
  std::uint64_t stale_version_ = 0;
  std::uint64_t stale_lists_ = 0;
  std::vector<std::weak_ptr<Exchange>> exchanges_;  // includes finished ones
  std::uint64_t slurm_lives_ = 0;
  std::uint64_t writes_under_way_ = 0;
};

// The transport of one process to one system. Each arrival sets `stirred`.
class Link final : public net::http::Transport {
 public:
  Link(net::Loop& loop, Network& network, std::string sender, System system, bool& stirred)
      : loop_(loop),
        network_(network),
        sender_(std::move(sender)),
        system_(system),
        stirred_(stirred) {}

  net::Task<base::Result<net::http::Response>> send(net::http::Request request,
                                                    base::Instant deadline) override;
  net::Task<base::Result<net::http::StreamingResponse>> open(net::http::Request request,
                                                             base::Instant deadline) override;

  // The process is dead: its further requests are not sent.
  void sever() { severed_ = true; }

 private:
  // Returns the exchange with its answer, or the error that the sender gets.
  net::Task<base::Result<std::shared_ptr<Exchange>>> exchange(net::http::Request request,
                                                              base::Instant deadline);

  net::Loop& loop_;
  Network& network_;
  std::string sender_;
  System system_;
  bool& stirred_;
  bool severed_ = false;
};

// The request as text for the timeline, such as "PATCH a/train-0".
std::string describe(System system, const net::http::Request& request);
bool is_read(const net::http::Request& request);

}  // namespace sim
