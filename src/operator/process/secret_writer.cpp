// SPDX-License-Identifier: Apache-2.0
#include "operator/process/secret_writer.h"

#include "base/base64.h"
#include "operator/objects/labels.h"
#include "operator/secrets/random.h"
#include "operator/secrets/ssh_host_keys.h"

#include <utility>

namespace slurmop::process {
namespace {

using base::Kind;
using base::Result;
using Content = std::map<std::string, base::Secret>;
using Kinds = parts::SecretOrder::Content;

// Without an RSA key: its generation takes seconds of CPU time, in which nothing else of the process
// runs and the lease may be lost (seen on a loaded machine). sshd uses the Ed25519 key.
Result<Content> host_keys(const std::string& comment) {
  Content content;
  for (const auto type : {secrets::SshKeyType::ed25519, secrets::SshKeyType::ecdsa_p521}) {
    TRY(secrets::SshKeyPair pair, secrets::make_ssh_key(type, comment));
    content[pair.name + ".pub"] = base::Secret(pair.public_key);
    content[pair.name] = std::move(pair.private_key);
  }
  return content;
}

Result<Content> only(const std::string& key, Result<base::Secret> value) {
  if (!value.ok()) return std::move(value).error();
  Content content;
  content[key] = std::move(*value);
  return content;
}

json::Object secret_object(const parts::SecretOrder& order, const Content& content) {
  json::Object data;
  for (const auto& [key, value] : content) data.set(key, base::encode_base64(value.reveal()));
  return {{"metadata", order.metadata}, {"type", "Opaque"}, {"data", std::move(data)}};
}

}  // namespace

Result<Content> secret_content(const parts::SecretOrder& order) {
  switch (order.content) {
    case Kinds::random_bytes: return only(order.key, secrets::random_bytes(order.bytes));
    case Kinds::random_password: return only(order.key, secrets::random_password());
    case Kinds::ssh_host_keys: return host_keys(order.name);
  }
  return base::Error(Kind::internal, "unknown content of a Secret");
}

net::Task<Result<void>> SecretWriter::create_one(const parts::SecretOrder& order) {
  CO_TRY(const Content content, secret_content(order));
  const auto created =
      co_await api_.create(secret_object(order, content), {std::string(objects::kFieldManager)});
  if (!created.ok() && !created.error().is(Kind::conflict)) co_return created.error();
  co_return Result<void>();
}

net::Task<Result<void>> SecretWriter::create(const std::vector<parts::SecretOrder>& orders,
                                             PassOutcome& outcome) {
  for (const parts::SecretOrder& order : orders) {
    const auto created = co_await create_one(order);
    if (created.ok()) continue;
    if (!is_rejection(created.error())) co_return created;
    outcome.failures.push_back(created.error().message());
  }
  co_return Result<void>();
}

}  // namespace slurmop::process
