// SPDX-License-Identifier: Apache-2.0
#include "operator/process/slurm_token.h"

#include "base/base64.h"
#include "operator/settle/names.h"
#include "slurm/client/mint_token.h"

#include <fmt/format.h>

#include <chrono>

namespace slurmop::process {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr const char* kKeyInSecret = "rest_jwt.key";
constexpr const char* kUser = "slurm";  // SlurmUser of the images: may change nodes
constexpr auto kLifetime = std::chrono::minutes(30);

Result<base::Secret> key_in(kube::Secret& secret) {
  const auto text = secret.data.find(kKeyInSecret);
  if (text == secret.data.end())
    return Error(Kind::invalid,
                 fmt::format("Secret {} has no key {}", secret.metadata.name, kKeyInSecret));
  auto bytes = base::decode_base64(text->second);
  base::wipe(text->second);
  if (!bytes.ok()) return Error(Kind::invalid, "the key in the Secret is not base64");
  return base::Secret::consume(*bytes);
}

kube::ObjectKey secret_of(const kube::ObjectKey& cluster) {
  const settle::Names names(settle::Naming::prefixed, cluster.name, cluster.ns, "");
  return {cluster.ns, names.jwt_key()};
}

}  // namespace

SlurmToken::SlurmToken(const kube::Access& access,
                       const Stores& stores,
                       const kube::ObjectKey& cluster)
    : secrets_(access),
      stores_(stores),
      secret_(secret_of(cluster)),
      source_(slurm::TokenSource::minted(
          slurm::TokenMint(base::Secret(), kUser, kLifetime, access.loop.clock()))) {}

net::Task<Result<void>> SlurmToken::refresh() {
  const auto known = stores_.secrets().find(secret_);
  if (!known)
    co_return Error(Kind::not_found, fmt::format("Secret {} does not exist yet", secret_.name));
  const std::string version = known->metadata.resourceVersion;
  if (version == read_version_) co_return Result<void>();
  CO_TRY(kube::Secret secret, co_await secrets_.get(secret_));
  CO_TRY(base::Secret key, key_in(secret));
  source_.set_key(std::move(key));
  read_version_ = version;
  co_return Result<void>();
}

}  // namespace slurmop::process
