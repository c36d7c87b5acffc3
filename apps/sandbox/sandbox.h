// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "base/result.h"
#include "files.h"
#include "models/actors/agenda.h"
#include "models/actors/job_controller.h"
#include "models/actors/kubelets.h"
#include "models/kube/server.h"
#include "models/kubectl/http.h"
#include "models/slurm/cluster.h"
#include "net/async/loop.h"
#include "net/async/signal.h"
#include "net/http/server.h"
#include "settings.h"

namespace sandbox {

// Both models on loopback in real time, with the controllers that the bridge or the examples need:
// kubelets, the Job controller, the namespace controller.
//
// Expects     listen(), then run() in a TaskGroup of the same loop.
// Guarantees  every answer names its server slurm-bridge-sandbox. Nothing is stored: the next
//             sandbox begins empty.
class Sandbox {
 public:
  Sandbox(net::Loop& loop, const Settings& settings, base::Log log);

  // Kind::invalid if an address cannot be used.
  base::Result<Ports> listen();

  // Advances the models until stop(), then ends the open requests.
  net::Task<void> run();
  void stop();

 private:
  void populate();
  // Does everything that is due; returns the time of the next event.
  base::Instant catch_up();
  net::Task<net::http::Answer> answer_kube(net::http::Request request);
  net::Task<net::http::Answer> answer_slurm(net::http::Request request);

  net::Loop& loop_;
  Settings settings_;
  models::actors::Agenda agenda_;
  models::kube::KubeServer kube_;
  models::slurm::SlurmCluster slurm_;
  models::actors::Kubelets kubelets_;
  models::actors::JobController jobs_;
  models::kubectl::KubeHttp kube_http_;
  net::Signal changed_;
  bool stopping_ = false;
  bool objects_changed_ = true;
  net::HttpServer kube_server_;
  net::HttpServer slurm_server_;
};

}  // namespace sandbox
