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

// The certificate of a server and its key, as they stand in two files that somebody renews.
//
// Guarantees  context() is always of a pair that belongs together. A pair that does not, because
//             one of the files is new and the other is not yet, or because one cannot be read,
//             changes nothing but is said in the log, once for each problem.
class ServerCertificate {
 public:
  struct Files {
    std::string certificate;  // PEM, with its chain
    std::string key;          // PEM
  };

  // Kind::invalid, with the file, if they cannot be used.
  static base::Result<std::shared_ptr<ServerCertificate>> load(Files files,
                                                               base::Log log = base::Log());

  // One that is made up and has no files: see net/transport/self_signed.h.
  static base::Result<std::shared_ptr<ServerCertificate>> self_signed(const std::string& name);

  // One that the program holds itself, and renews with replace(). Kind::invalid if it cannot be
  // used.
  static base::Result<std::shared_ptr<ServerCertificate>> fixed(KeyPair pair);
  // On an error the old one stays in use.
  base::Result<void> replace(KeyPair pair) { return use(std::move(pair)); }

  const std::shared_ptr<const TlsContext>& context() const { return context_; }

  // Reads the files again. Only the content counts: a mounted Secret is swapped by a link.
  void look_again();
  // Does so now and then, until it is cancelled.
  Task<void> keep_fresh(Loop& loop, base::Duration interval = std::chrono::seconds(10));

 private:
  ServerCertificate(Files files, base::Log log) : files_(std::move(files)), log_(std::move(log)) {}
  base::Result<KeyPair> read() const;
  base::Result<void> use(KeyPair pair);

  Files files_;  // empty if it was made up
  base::Log log_;
  KeyPair in_use_;
  std::shared_ptr<const TlsContext> context_;
  std::string problem_;  // that was said last
};

}  // namespace net::inline transport
