// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/login_pod.h"

#include "operator/objects/passed_on.h"
#include "operator/objects/pod.h"
#include "operator/parts/container_settings.h"
#include "operator/parts/daemon_script.h"
#include "operator/parts/endpoints.h"
#include "operator/parts/home_folders.h"
#include "operator/parts/key_files.h"
#include "operator/parts/munge_sidecar.h"
#include "operator/parts/pod_placement.h"
#include "operator/parts/pod_volumes.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slurmop::parts {
namespace {

// sshd refuses host keys that others may read. Behind a Service all users can have the address of a
// Kubernetes node, so penalties by address would lock out all of them; only newer versions of sshd
// have the option.
constexpr std::string_view kRunSshd = R"bash(install -d -m 0755 /run/sshd
install -d -m 0700 /run/sshd-host
for key in /secrets/host-keys/ssh_host_*_key; do
  install -m 0600 "$key" /run/sshd-host/
done
touch /run/utmp /var/log/lastlog
options=(-f /etc/ssh-config/sshd_config)
if /usr/sbin/sshd -t "${options[@]}" -o PerSourcePenalties=no 2>/dev/null; then
  options+=(-o PerSourcePenalties=no)
fi
exec /usr/sbin/sshd -D -e "${options[@]}" "$@"
)bash";

// sackd signs for users, who may not read the key, and keeps the current configuration in
// /run/slurm/conf, where Slurm's commands find it. It must run as SlurmUser: as root it refuses
// slurmctld's message that the configuration has changed. It then executes itself again, which
// requires its whole path. The folder outlives the container.
constexpr std::string_view kStartSackd = R"bash(if [ "$EUID" = 0 ]; then
  chown root:root /run/slurm
  chmod 0755 /run/slurm
  chown slurm:slurm /run/slurm
  exec setpriv --reuid=slurm --regid=slurm --init-groups \
    bash -ec "$BASH_EXECUTION_STRING" "$0" "$@"
fi
"$(command -v sackd)" -D "$@" &
)bash";

// sshd becomes the user, gives the terminal to the user, confines itself before authentication,
// listens on a low port and reports logins.
const std::vector<std::string> kSshdCapabilities = {
    "SETUID", "SETGID", "CHOWN", "KILL", "SYS_CHROOT", "NET_BIND_SERVICE", "AUDIT_WRITE"};

const api::Login& spec_of(const settle::Cluster& cluster) {
  return cluster.spec().slurmNodes.login;
}

std::string host_keys_secret(const settle::Cluster& cluster) {
  const std::string& given = cluster.spec().secrets.sshdKeysName;
  return given.empty() ? cluster.names.sshd_keys() : given;
}

objects::Mount slurm_socket_mount(bool read_only) {
  return {.volume = "run-slurm", .path = "/run/slurm", .read_only = read_only};
}

KeyFiles key_files(const settle::Cluster& cluster) {
  return {.owner = "slurm",
          .image = cluster.defaults.slurm_image,
          .pull_policy = cluster.defaults.pull_policy};
}

json::Object sackd_startup() {
  json::Object probe = objects::exec_probe(
      {"bash", "-c", "[ -S /run/slurm/sack.socket ] && [ -e /run/slurm/conf/slurm.conf ]"}, 1);
  probe.set("failureThreshold", 600);  // slurmctld may still be starting
  return probe;
}

json::Object sackd_sidecar(const settle::Cluster& cluster) {
  return objects::container({.name = "sackd",
                             .image = cluster.defaults.slurm_image,
                             .pull_policy = cluster.defaults.pull_policy,
                             .command = script(with_shell_as_init(kStartSackd), "sackd"),
                             .args = {"--conf-server", conf_server(cluster)},
                             .env = {key_variable()},
                             .security = objects::unprivileged({"CHOWN", "SETUID", "SETGID"}),
                             .startup = sackd_startup(),
                             .mounts = {slurm_socket_mount(false), keys_mount(), users_mount()},
                             .sidecar = true});
}

json::Object sshd_container(const settle::Cluster& cluster,
                            const std::vector<objects::Mount>& custom_mounts) {
  objects::Container sshd{
      .name = "sshd",
      .image = cluster.defaults.slurm_image,
      .pull_policy = cluster.defaults.pull_policy,
      .command = script(kRunSshd, "sshd"),
      .ports = {{"ssh", sshd_port(cluster)}},
      .security = objects::unprivileged(kSshdCapabilities),
      .readiness = objects::tcp_probe(sshd_port(cluster), 10),
      .mounts = {{.volume = "host-keys", .path = "/secrets/host-keys", .read_only = true},
                 {.volume = "ssh-config", .path = "/etc/ssh-config", .read_only = true},
                 {.volume = "ssh-keys", .path = "/etc/ssh-keys", .read_only = true},
                 has_munge(cluster) ? munge_socket_mount() : slurm_socket_mount(true),
                 users_mount(),
                 home_mount()},
  };
  sshd.mounts.insert(sshd.mounts.end(), custom_mounts.begin(), custom_mounts.end());
  use_settings(settings_of(spec_of(cluster).sshd), objects::CpuLimit::none, sshd);
  return objects::container(sshd);
}

json::Array init_containers(const settle::Cluster& cluster) {
  json::Array all = objects::passed_on(spec_of(cluster).customInitContainers);
  if (has_munge(cluster)) {
    all.push_back(munge_sidecar(cluster, settings_of(spec_of(cluster).munge)));
  } else {
    all.push_back(keys_container(cluster, key_files(cluster)));
    all.push_back(sackd_sidecar(cluster));
  }
  all.push_back(homes_sidecar(cluster));
  return all;
}

void add_own_volumes(const settle::Cluster& cluster, json::Array& volumes) {
  if (has_munge(cluster)) {
    add_munge_volumes(cluster, volumes);
  } else {
    add_key_volumes(cluster, key_files(cluster), volumes);
    volumes.push_back(objects::empty_dir("run-slurm"));
  }
  volumes.push_back(objects::secret_volume("host-keys", host_keys_secret(cluster)));
  volumes.push_back(objects::config_volume("ssh-config", cluster.names.ssh_configs()));
  volumes.push_back(objects::config_volume("ssh-keys", cluster.names.ssh_keys()));
  volumes.push_back(users_volume(cluster));
  volumes.push_back(home_volume(cluster));
}

json::Array pull_secrets(const api::Login& login) {
  json::Array all = objects::passed_on(settings_of(login.sshd).pull_secrets);
  for (json::Value& secret : objects::passed_on(settings_of(login.munge).pull_secrets)) {
    all.push_back(std::move(secret));
  }
  return all;
}

// With these, bare Slurm commands find slurmctld (_slurmctld._tcp), and names of workers and of other
// login pods need no domain.
std::vector<std::string> dns_searches(const settle::Names& names) {
  return {names.controller_domain(),
          names.host(names.worker_service()),
          names.host(names.login_headless())};
}

}  // namespace

LoginPod login_pod(const settle::Cluster& cluster) {
  const api::Login& login = spec_of(cluster);
  const std::string& name = cluster.names.cluster();
  PodVolumes custom{.claim_labels = objects::labels(name, "login")};
  add_custom_mounts(cluster, login.volumes.customMounts, custom);
  add_own_volumes(cluster, custom.volumes);
  objects::PodSpec pod{.init_containers = init_containers(cluster),
                       .containers = {sshd_container(cluster, custom.mounts)},
                       .volumes = std::move(custom.volumes),
                       .service_account = cluster.names.service_account("login"),
                       .pull_secrets = pull_secrets(login),
                       .dns_searches = dns_searches(cluster.names)};
  place(settle::placement_of(
            cluster.spec(), login.k8sNodeFilterName, login.priorityClass, login.hostUsers),
        pod);
  pod.affinity = spread(std::move(pod.affinity), objects::selector(name, "login"));
  return {.spec = objects::pod_spec(pod), .claim_templates = std::move(custom.claim_templates)};
}

}  // namespace slurmop::parts
