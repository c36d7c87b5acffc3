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

// Returns the certificate of a webhook; called again while it fails.
using CertificateSource = std::function<base::Result<std::shared_ptr<net::ServerCertificate>>()>;

// Reads tls.crt and tls.key in a folder, as in a mounted Secret; renewed files are used.
CertificateSource certificate_in(std::string folder, base::Log log);

// Decides one request. The request stays valid until the task ends.
using AdmissionHandler = std::function<net::Task<AdmissionVerdict>(AdmissionRequest)>;

// Answers AdmissionReviews that are POSTed to these paths; 404, 405 and 400 otherwise. A request
// that cannot be decoded is denied with the reason.
net::http::Handler admission_handler(std::map<std::string, AdmissionHandler> routes);

struct WebhookServerOptions {
  net::ListenAddress address;
  CertificateSource certificate;
};

// Serves webhooks over TLS.
//
// Guarantees  waits for a certificate that does not exist yet and for an address that is in use,
//             logs the problem once and shows it in ready(); uses a renewed certificate without a
//             restart.
class WebhookServer {
 public:
  WebhookServer(net::Loop& loop,
                net::http::Handler handler,
                WebhookServerOptions options,
                const base::Log& log);

  // Serves until stop(), after which requests in progress are answered, or until it is cancelled.
  net::Task<void> run();
  void stop() { over_.notify(); }

  // ok if it listens, else the reason.
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
