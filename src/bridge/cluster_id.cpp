// SPDX-License-Identifier: Apache-2.0
#include "bridge/cluster_id.h"

#include "kube/request.h"
#include "kube/store.h"

namespace bridge {

net::Task<base::Result<std::string>> cluster_id(kube::Client& kube, base::Instant deadline) {
  CO_TRY(const std::string text,
         co_await kube.get(kube::object_path(kube::kNamespaces, {"", "kube-system"}), deadline));
  json::Parser parser;
  CO_TRY(const json::Node object, parser.parse(text));
  const kube::Uid uid = kube::uid_of(object);
  if (uid.value().empty())
    co_return base::Error(base::Kind::protocol, "an object without metadata.uid");
  co_return uid.value();
}

}  // namespace bridge
