// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "kube/auth/config.h"
#include "kube/runner/runner.h"
#include "telemetry/metered_transport.h"

#include <memory>
#include <optional>
#include <string>

namespace kube::inline runner {

struct ProgramOptions {
  std::string name;             // of the program: User-Agent and source of Events
  std::string kubeconfig = {};  // path; empty: the service account of the pod
  // The Lease that one of several replicas holds while it acts. An empty namespace is that of the
  // configuration (of the pod). Without a Lease there is no leader election.
  std::optional<ObjectKey> lease = {};
  std::string probe_address = {};
  std::string metrics_address = {};
  std::optional<telemetry::ListenerTls> metrics_tls = {};  // empty: metrics without TLS
  base::LogFormat log_format = base::LogFormat::human;
  base::LogLevel log_level = base::LogLevel::info;
};

// A complete controller process: clock, loop, log, connections to the API server, and a Runner.
//
//   auto program = kube::Program::make({"copier", kubeconfig, kube::ObjectKey{"", "copier"}});
//   if (!program.ok()) ...
//   program->get()->runner().add(...);
//   return (*program)->run();
class Program {
 public:
  // Kind::invalid if the configuration cannot be used, or an address is in use.
  static base::Result<std::unique_ptr<Program>> make(ProgramOptions options);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  // For the parts of the program.
  Access access() { return {loop_, *client_, log_}; }
  net::Loop& loop() { return loop_; }
  Client& client() { return *client_; }
  const base::Log& log() const { return log_; }
  const std::string& ns() const { return config_.ns; }
  Runner& runner() { return *runner_; }

  // Runs until SIGTERM or SIGINT, or until another process leads. Returns the exit code.
  int run();

 private:
  explicit Program(ProgramOptions options);
  base::Result<void> connect();

  ProgramOptions options_;
  base::RealClock clock_;
  net::Loop loop_;
  base::Log log_;
  ClusterConfig config_;
  Credentials credentials_;
  telemetry::Metrics metrics_;
  std::unique_ptr<net::http::Transport> to_server_;
  std::unique_ptr<net::http::Transport> to_leases_;
  std::unique_ptr<Client> lease_client_;
  std::unique_ptr<telemetry::MeteredTransport> metered_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace kube::inline runner
