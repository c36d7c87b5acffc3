// SPDX-License-Identifier: Apache-2.0
#include "operator/parts/home_folders.h"

#include "operator/parts/container_settings.h"
#include "operator/parts/pod_volumes.h"

#include <string>
#include <string_view>

namespace slurmop::parts {
namespace {

// A new directory gets its owner under another name: a stop in between leaves no directory that the
// user cannot enter. An emptyDir is writable by everybody, so that a user could take the name of
// another one. After an error the next attempt is a minute later. Without a trap the shell, as
// process 1, would not end before the grace period of the pod.
constexpr std::string_view kMakeHomes = R"bash(umask 077
trap 'exit 0' TERM INT
new=/home/.new-home.$HOSTNAME
users=/var/lib/extrausers/passwd

make_home() {  # HOME UID GID
  if [ -e "$new" ]; then rmdir "$new" || return; fi
  mkdir -m 0700 "$new" && chown "$2:$3" "$new" && mv -nT "$new" "$1"
}

make_missing_homes() {
  while IFS=: read -r name _ uid gid _ home _; do
    [[ $name =~ ^[a-z_][a-z0-9_-]*$ && $uid =~ ^[1-9][0-9]*$ && $gid =~ ^[1-9][0-9]*$ ]] || continue
    [ "$home" = "/home/$name" ] || continue
    if [ -e "$home" ] || [ -L "$home" ]; then continue; fi
    make_home "$home" "$uid" "$gid" || { echo "cannot create $home" >&2; return 1; }
    echo "created $home"
  done < "$users"
}

case $(stat -c %a /home) in
  *[2367]) chmod 0755 /home || echo "every user can write to /home" >&2 ;;
esac
while :; do
  pause=5
  if [ -r "$users" ]; then make_missing_homes || pause=60; fi
  sleep "$pause" &
  wait "$!"
done
)bash";

}  // namespace

bool has_shared_home(const settle::Cluster& cluster) {
  return cluster.spec().home.has_value();
}

json::Object home_volume(const settle::Cluster& cluster) {
  const auto& home = cluster.spec().home;
  if (!home) return objects::empty_dir("home");
  if (home->volumeSourceName.empty()) {
    return objects::claim_volume("home", cluster.names.home_claim());
  }
  return objects::source_volume("home", volume_source(cluster, home->volumeSourceName));
}

objects::Mount home_mount() {
  return {.volume = "home", .path = "/home"};
}

json::Object users_volume(const settle::Cluster& cluster) {
  return objects::config_volume("users", cluster.names.users());
}

objects::Mount users_mount() {
  return {.volume = "users", .path = "/var/lib/extrausers", .read_only = true};
}

json::Object homes_sidecar(const settle::Cluster& cluster) {
  return objects::container({.name = "homes",
                             .image = cluster.defaults.slurm_image,
                             .pull_policy = cluster.defaults.pull_policy,
                             .command = script(kMakeHomes, "homes"),
                             .security = objects::unprivileged({"CHOWN"}),
                             .mounts = {home_mount(), users_mount()},
                             .sidecar = true});
}

}  // namespace slurmop::parts
