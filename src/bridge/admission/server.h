// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bridge/admission/admission.h"
#include "net/acceptor.h"
#include "net/http_server.h"
#include "net/server_certificate.h"
#include "net/signal.h"

#include <memory>
#include <string>

namespace bridge {

struct WebhookOptions {
  net::ListenAddress address;
  std::string certificates;  // the folder of tls.crt and tls.key
};

// Admission on the network, by TLS.
//
// Guarantees  a certificate that is not there yet, or an address that is taken, is waited for, said
//             in the log once and in ready(); a renewed one is used without a restart.
class AdmissionServer {
 public:
  AdmissionServer(net::Loop& loop,
                  Admission& admission,
                  WebhookOptions options,
                  const base::Log& log);

  // Serves until stop(), after which questions in progress are answered, or until it is cancelled.
  net::Task<void> run();
  void stop() { over_.notify(); }

  // Whether it listens and knows what it needs, or what is missing.
  base::Result<void> ready() const;

 private:
  net::Task<void> serve();
  base::Result<std::unique_ptr<net::Acceptor>> try_to_open();

  net::Loop& loop_;
  Admission& admission_;
  WebhookOptions options_;
  base::Log log_;
  std::shared_ptr<net::ServerCertificate> certificate_;
  net::HttpServer server_;
  net::Signal over_;
  bool listens_ = false;
  std::string problem_;  // why it does not listen
};

}  // namespace bridge
