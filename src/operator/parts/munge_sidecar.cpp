// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/munge_sidecar.h"

#include <string_view>

namespace slurmop::parts {
namespace {

constexpr std::string_view kSocketVolume = "munge-socket";
constexpr std::string_view kSocketFolder = "/run/munge";
constexpr std::string_view kKeyVolume = "munge-key";
constexpr std::string_view kKeyFolder = "/secrets/munge-key";

// munged requires that nobody else can change its key, its socket and the folders above them, which
// holds neither for a Secret volume nor for an emptyDir. Owners are changed last: without further
// capabilities root cannot change files of another account. The folder of the socket may belong to
// munge already, because it outlives the container.
constexpr std::string_view kRunMunged = R"bash(umask 022
chown root:root /run/munge
chmod 0755 /run/munge
chown munge:munge /run/munge
install -d -m 0700 /run/munged
install -m 0400 /secrets/munge-key/munge.key /run/munged/munge.key
chown munge:munge /run/munged/munge.key
chown munge:munge /run/munged
exec setpriv --reuid=munge --regid=munge --clear-groups \
  munged --foreground --key-file=/run/munged/munge.key --pid-file=/run/munged/pid \
  --seed-file=/run/munged/seed --log-file=/run/munged/log "$@"
)bash";

// Encodes and decodes a credential: the socket answers and the key is usable.
json::Object startup() {
  json::Object probe = objects::exec_probe(
      {"bash", "-o", "pipefail", "-c", "munge --no-input | unmunge >/dev/null"}, 1);
  probe.set("failureThreshold", 120);
  return probe;
}

}  // namespace

json::Object munge_sidecar(const settle::Cluster& cluster,
                           const ContainerSettings& settings,
                           objects::CpuLimit cpu) {
  objects::Container munge{
      .name = "munge",
      .image = cluster.defaults.slurm_image,
      .pull_policy = cluster.defaults.pull_policy,
      .command = script(kRunMunged, "munge"),
      .security = objects::unprivileged({"CHOWN", "SETUID", "SETGID"}),
      .startup = startup(),
      .mounts = {munge_socket_mount(),
                 {.volume = std::string(kKeyVolume),
                  .path = std::string(kKeyFolder),
                  .read_only = true}},
      .sidecar = true,
  };
  use_settings(settings, cpu, munge);
  return objects::container(munge);
}

void add_munge_volumes(const settle::Cluster& cluster, json::Array& volumes) {
  volumes.push_back(objects::empty_dir(std::string(kSocketVolume)));
  volumes.push_back(objects::secret_volume(std::string(kKeyVolume), cluster.names.munge_key()));
}

objects::Mount munge_socket_mount() {
  return {.volume = std::string(kSocketVolume), .path = std::string(kSocketFolder)};
}

}  // namespace slurmop::parts
