// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "net/async/fwd.h"
#include "net/async/task.h"
#include "net/transport/self_signed.h"
#include "net/transport/tls.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace net::inline transport {

// The certificate and key of a server, read from two files that are renewed while the process runs.
//
// Guarantees  context() always has a matching pair. A pair that does not match, because only one of
//             the files is new, or that cannot be read, changes nothing and is logged, once for
//             each problem.
class ServerCertificate {
 public:
  struct Files {
    std::string certificate;  // PEM, with its chain
    std::string key;          // PEM
  };

  // Kind::invalid, with the file, if they cannot be used.
  static base::Result<std::shared_ptr<ServerCertificate>> load(Files files,
                                                               base::Log log = base::Log());

  // A generated certificate without files: see net/transport/self_signed.h.
  static base::Result<std::shared_ptr<ServerCertificate>> self_signed(const std::string& name);

  // A certificate that the program holds itself and renews with replace(). Kind::invalid if it
  // cannot be used.
  static base::Result<std::shared_ptr<ServerCertificate>> fixed(KeyPair pair);
  // On an error the old certificate stays in use.
  base::Result<void> replace(KeyPair pair) { return use(std::move(pair)); }

  const std::shared_ptr<const TlsContext>& context() const { return context_; }

  // Reads the files again. Compares the content only: a mounted Secret is replaced by a symlink.
  void reload();
  // Calls reload() periodically until it is cancelled.
  Task<void> keep_fresh(Loop& loop, base::Duration interval = std::chrono::seconds(10));

 private:
  ServerCertificate(Files files, base::Log log) : files_(std::move(files)), log_(std::move(log)) {}
  base::Result<KeyPair> read() const;
  base::Result<void> use(KeyPair pair);

  Files files_;  // empty if the certificate was generated
  base::Log log_;
  KeyPair in_use_;
  std::shared_ptr<const TlsContext> context_;
  std::string problem_;  // the problem logged last
};

}  // namespace net::inline transport
