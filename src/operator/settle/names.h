// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slurmop::settle {

// How StatefulSets, Deployments and pods are named. Chosen once per cluster and recorded in
// status.naming.
enum class Naming {
  short_names,  // controller-0, worker-0, login-0: for clusters with spec.slurmNodes.worker
  prefixed,     // <cluster>-controller-0, ...: soperator's names
};

std::string_view to_string(Naming naming);  // "short", "prefixed": the values of status.naming

// The names of all objects of one cluster.
//
// Guarantees  names of two clusters of one namespace differ, except with short names on both sides;
//             Services, ConfigMaps and Secrets have soperator's names in both cases.
class Names {
 public:
  Names(Naming naming, std::string cluster, std::string ns, std::string domain);

  Naming naming() const { return naming_; }
  const std::string& cluster() const { return cluster_; }
  const std::string& ns() const { return ns_; }

  // StatefulSets and Deployments.
  std::string controller() const;  // StatefulSet "controller"
  std::string login() const;       // StatefulSet "login"
  std::string database() const;    // StatefulSet "accounting-db"
  std::string accounting() const;  // Deployment "accounting"
  std::string rest() const;        // Deployment "rest"
  std::string controller_pod() const { return controller() + "-0"; }

  // Services.
  std::string controller_service() const;  // "<cluster>-controller-svc"
  std::string login_service() const;       // "<cluster>-login-svc"
  std::string login_headless() const;      // "<cluster>-login-headless-svc"
  std::string accounting_service() const;  // "<cluster>-accounting-svc"
  std::string database_service() const;    // "<cluster>-acct-db"
  std::string rest_service() const;        // "<cluster>-rest-svc"
  std::string worker_service() const;      // "<cluster>-nodeset-svc", headless, all workers
  // "<service>.<ns>.svc.<domain>"
  std::string host(std::string_view service) const;
  // Search domain in which `_slurmctld._tcp` resolves: host(controller_service()).
  std::string controller_domain() const { return host(controller_service()); }

  // ConfigMaps.
  std::string slurm_configs() const;    // "<cluster>-slurm-configs": what slurmctld reads
  std::string rest_config() const;      // "<cluster>-rest-config": minimal slurm.conf of slurmrestd
  std::string ssh_configs() const;      // "<cluster>-ssh-configs": sshd_config
  std::string ssh_keys() const;         // "<cluster>-ssh-keys": one key per user, and root
  std::string users() const;            // "<cluster>-users": passwd, group, uids
  std::string slurmdbd_config() const;  // "<cluster>-slurmdbd-config", without the password

  // Secrets.
  std::string slurm_key() const;          // "<cluster>-slurm-key", key slurm.key
  std::string munge_key() const;          // "<cluster>-munge", key munge.key
  std::string jwt_key() const;            // "<cluster>-rest-jwt-key", key rest_jwt.key
  std::string sshd_keys() const;          // "<cluster>-sshd-keys", unless the spec names another
  std::string database_password() const;  // "<cluster>-mariadb-password", key password

  // Claims.
  std::string home_claim() const;  // "<cluster>-home"

  // ServiceAccount of a component ("controller", "worker", ...): "<cluster>-<component>".
  std::string service_account(std::string_view component) const;

 private:
  std::string with_prefix(std::string_view name) const;
  std::string of_cluster(std::string_view suffix) const;

  Naming naming_;
  std::string cluster_;
  std::string ns_;
  std::string domain_;
};

}  // namespace slurmop::settle
