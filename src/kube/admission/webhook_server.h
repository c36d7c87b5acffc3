// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.h"
#include "kube/admission/review.h"
#include "net/async/signal.h"
#include "net/http/server.h"
#include "net/transport/acceptor.h"
#include "net/transport/server_certificate.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace kube::inline admission {

// Where the certificate of a webhook comes from; asked again while it fails.
using CertificateSource = std::function<base::Result<std::shared_ptr<net::ServerCertificate>>()>;

// tls.crt and tls.key in a folder, as a mounted Secret has them; followed when they are renewed.
CertificateSource certificate_in(std::string folder, base::Log log);

// Answers one question. What it refers to lives until the answer is made.
using AdmissionHandler = std::function<net::Task<AdmissionVerdict>(AdmissionRequest)>;

// Answers AdmissionReviews that are POSTed to these paths; 404, 405 and 400 otherwise. A question
// that cannot be read is denied with the reason.
net::http::Handler admission_handler(std::map<std::string, AdmissionHandler> routes);

struct WebhookServerOptions {
  net::ListenAddress address;
  CertificateSource certificate;
};

// Webhooks on the network, by TLS.
//
// Guarantees  a certificate that is not there yet, or an address that is taken, is waited for, said
//             in the log once and in ready(); a renewed certificate is used without a restart.
class WebhookServer {
 public:
  WebhookServer(net::Loop& loop,
                net::http::Handler handler,
                WebhookServerOptions options,
                const base::Log& log);

  // Serves until stop(), after which questions in progress are answered, or until it is cancelled.
  net::Task<void> run();
  void stop() { over_.notify(); }

  // Whether it listens, or why it does not.
  base::Result<void> ready() const;

 private:
  net::Task<void> serve();
  base::Result<std::unique_ptr<net::Acceptor>> try_to_open();

  net::Loop& loop_;
  WebhookServerOptions options_;
  base::Log log_;
  std::shared_ptr<net::ServerCertificate> certificate_;
  net::HttpServer server_;
  net::Signal over_;
  bool listens_ = false;
  std::string problem_;  // why it does not listen
};

}  // namespace kube::inline admission
