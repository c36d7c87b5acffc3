// SPDX-License-Identifier: Apache-2.0
#include "operator/process/endpoints.h"

#include "json/pointer.h"
#include "net/http/client.h"
#include "net/transport/connector.h"
#include "net/transport/url.h"
#include "operator/objects/labels.h"
#include "operator/parts/parts.h"
#include "operator/settle/names.h"

namespace slurmop::process {

using kube::ObjectKey;

ServiceEndpoints::ServiceEndpoints(net::Loop& loop, const Stores& stores, std::string user_agent)
    : loop_(loop), stores_(stores), user_agent_(std::move(user_agent)) {}

std::optional<Address> ServiceEndpoints::slurmrestd(const ObjectKey& cluster) const {
  const settle::Names names(settle::Naming::prefixed, cluster.name, cluster.ns, "");
  const auto service = stores_.find(kube::kServices, {cluster.ns, names.rest_service()});
  if (!service) return std::nullopt;
  const json::Value* ip = json::find(service->content, {"spec", "clusterIP"});
  if (ip == nullptr || ip->as_string() == nullptr || ip->as_string()->empty()) return std::nullopt;
  const bool is_headless = *ip->as_string() == "None";
  return Address{is_headless ? names.rest_service() + "." + cluster.ns + ".svc" : *ip->as_string(),
                 parts::kRestPort};
}

std::optional<Address> ServiceEndpoints::agent(const ObjectKey& cluster) const {
  for (const auto& pod : stores_.pods_of(cluster)) {
    const bool is_controller =
        pod->metadata.label(std::string(objects::kComponent)) == "controller";
    if (is_controller && !pod->metadata.deleting() && !pod->status.podIP.empty())
      return Address{pod->status.podIP, parts::kAgentPort};
  }
  return std::nullopt;
}

std::unique_ptr<net::http::Transport> ServiceEndpoints::connect(const Address& address) {
  constexpr std::uint64_t kLongestAnswer = 64ULL << 20U;
  const net::Url url{.tls = false, .host = address.host, .port = address.port, .prefix = ""};
  net::HttpOptions options;
  options.authority = url.authority();
  options.user_agent = user_agent_;
  options.body_limit = kLongestAnswer;
  return std::make_unique<net::HttpClient>(
      loop_,
      std::make_unique<net::TcpConnector>(loop_, address.host, address.port),
      std::move(options));
}

}  // namespace slurmop::process
