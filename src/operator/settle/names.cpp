// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/names.h"

#include <fmt/format.h>

#include <utility>

namespace slurmop::settle {

std::string_view to_string(Naming naming) {
  return naming == Naming::short_names ? "short" : "prefixed";
}

Names::Names(Naming naming, std::string cluster, std::string ns, std::string domain)
    : naming_(naming),
      cluster_(std::move(cluster)),
      ns_(std::move(ns)),
      domain_(std::move(domain)) {}

std::string Names::with_prefix(std::string_view name) const {
  return naming_ == Naming::short_names ? std::string(name) : of_cluster(name);
}

std::string Names::of_cluster(std::string_view suffix) const {
  return fmt::format("{}-{}", cluster_, suffix);
}

std::string Names::controller() const {
  return with_prefix("controller");
}
std::string Names::login() const {
  return with_prefix("login");
}
std::string Names::database() const {
  return with_prefix("accounting-db");
}
std::string Names::accounting() const {
  return with_prefix("accounting");
}
std::string Names::rest() const {
  return with_prefix("rest");
}

std::string Names::controller_service() const {
  return of_cluster("controller-svc");
}
std::string Names::login_service() const {
  return of_cluster("login-svc");
}
std::string Names::login_headless() const {
  return of_cluster("login-headless-svc");
}
std::string Names::accounting_service() const {
  return of_cluster("accounting-svc");
}
std::string Names::database_service() const {
  return of_cluster("acct-db");
}
std::string Names::rest_service() const {
  return of_cluster("rest-svc");
}
std::string Names::worker_service() const {
  return of_cluster("nodeset-svc");
}

std::string Names::host(std::string_view service) const {
  return fmt::format("{}.{}.svc.{}", service, ns_, domain_);
}

std::string Names::slurm_configs() const {
  return of_cluster("slurm-configs");
}
std::string Names::rest_config() const {
  return of_cluster("rest-config");
}
std::string Names::ssh_configs() const {
  return of_cluster("ssh-configs");
}
std::string Names::ssh_keys() const {
  return of_cluster("ssh-keys");
}
std::string Names::users() const {
  return of_cluster("users");
}
std::string Names::slurmdbd_config() const {
  return of_cluster("slurmdbd-config");
}

std::string Names::slurm_key() const {
  return of_cluster("slurm-key");
}
std::string Names::munge_key() const {
  return of_cluster("munge");
}
std::string Names::jwt_key() const {
  return of_cluster("rest-jwt-key");
}
std::string Names::sshd_keys() const {
  return of_cluster("sshd-keys");
}
std::string Names::database_password() const {
  return of_cluster("mariadb-password");
}

std::string Names::home_claim() const {
  return of_cluster("home");
}

std::string Names::service_account(std::string_view component) const {
  return of_cluster(component);
}

}  // namespace slurmop::settle
