// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/endpoints.h"

#include "operator/parts/controller_pod.h"
#include "operator/parts/parts.h"

#include <fmt/format.h>

#include <optional>

namespace slurmop::parts {
namespace {

constexpr std::int64_t kDatabasePort = 3306;
constexpr std::int64_t kSshPort = 22;

template <class Container>
std::int64_t port_of(const std::optional<Container>& container, std::int64_t usual) {
  return container ? container->port.value_or(usual) : usual;
}

}  // namespace

std::string conf_server(const settle::Cluster& cluster) {
  return fmt::format(
      "{}:{}", cluster.names.host(cluster.names.controller_service()), slurmctld_port(cluster));
}

std::int64_t slurmdbd_port(const settle::Cluster& cluster) {
  return port_of(cluster.spec().slurmNodes.accounting.slurmdbd, kSlurmdbdPort);
}

std::int64_t database_port(const settle::Cluster& cluster) {
  return port_of(cluster.spec().slurmNodes.accounting.mariadbOperator, kDatabasePort);
}

std::int64_t sshd_port(const settle::Cluster& cluster) {
  return port_of(cluster.spec().slurmNodes.login.sshd, kSshPort);
}

}  // namespace slurmop::parts
