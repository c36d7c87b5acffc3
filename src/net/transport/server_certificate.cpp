// SPDX-License-Identifier: Apache-2.0
#include "net/transport/server_certificate.h"

#include "net/async/loop.h"
#include "net/files/small_file.h"

#include <fmt/format.h>

#include <utility>

namespace net::inline transport {

using base::Result;

Result<std::shared_ptr<ServerCertificate>> ServerCertificate::load(Files files, base::Log log) {
  const std::shared_ptr<ServerCertificate> made(
      new ServerCertificate(std::move(files), std::move(log)));
  TRY(KeyPair pair, made->read());
  TRY_VOID(made->use(std::move(pair)));
  return made;
}

Result<std::shared_ptr<ServerCertificate>> ServerCertificate::self_signed(const std::string& name) {
  const std::shared_ptr<ServerCertificate> made(new ServerCertificate({}, base::Log()));
  TRY(KeyPair pair, net::self_signed(name));
  TRY_VOID(made->use(std::move(pair)));
  return made;
}

Result<std::shared_ptr<ServerCertificate>> ServerCertificate::fixed(KeyPair pair) {
  const std::shared_ptr<ServerCertificate> made(new ServerCertificate({}, base::Log()));
  TRY_VOID(made->use(std::move(pair)));
  return made;
}

Result<KeyPair> ServerCertificate::read() const {
  TRY(std::string certificate, read_small_file(files_.certificate));
  TRY(std::string key, read_small_file(files_.key));
  return KeyPair{std::move(certificate), base::Secret::consume(key)};
}

Result<void> ServerCertificate::use(KeyPair pair) {
  auto context = TlsContext::for_server(pair.certificate, pair.key);
  if (!context.ok())
    return std::move(context).error().in(fmt::format("{} and {}", files_.certificate, files_.key));
  context_ = std::move(*context);
  in_use_ = std::move(pair);
  return {};
}

void ServerCertificate::reload() {
  if (files_.certificate.empty()) return;
  auto pair = read();
  const bool same =
      pair.ok() && pair->certificate == in_use_.certificate && pair->key == in_use_.key;
  if (same) {
    problem_.clear();
    return;
  }
  auto used = pair.ok() ? use(std::move(*pair)) : Result<void>(std::move(pair).error());
  if (used.ok()) {
    problem_.clear();
    log_.info("using the new server certificate", {{"file", files_.certificate}});
  } else if (std::exchange(problem_, used.error().message()) != used.error().message()) {
    log_.warn("keeping the old server certificate", {{"error", used.error()}});
  }
}

Task<void> ServerCertificate::keep_fresh(Loop& loop, base::Duration interval) {
  while ((co_await loop.sleep_for(interval)).ok()) reload();
}

}  // namespace net::inline transport
