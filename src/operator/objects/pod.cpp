// SPDX-License-Identifier: Apache-2.0
#include "operator/objects/pod.h"

#include "operator/objects/members.h"
#include "operator/objects/object.h"
#include "operator/objects/passed_on.h"

#include <utility>

namespace slurmop::objects {
namespace {

void set_identity(json::Object& all, const PodSpec& spec) {
  set_unless_empty(all, "serviceAccountName", spec.service_account);
  all.set("automountServiceAccountToken", false);
  all.set("enableServiceLinks", false);
  set_unless_empty(all, "hostname", spec.hostname);
  set_unless_empty(all, "subdomain", spec.subdomain);
  if (!spec.dns_searches.empty()) {
    all.set("dnsConfig", json::Object{{"searches", strings(spec.dns_searches)}});
  }
  if (spec.host_users) all.set("hostUsers", *spec.host_users);
  set_unless_empty(all, "securityContext", spec.security);
}

void set_placement(json::Object& all, const PodSpec& spec) {
  if (!spec.affinity.is_null()) all.set("affinity", passed_on(spec.affinity));
  set_unless_empty(all, "nodeSelector", string_map(spec.node_selector));
  set_unless_empty(all, "tolerations", passed_on(spec.tolerations));
  set_unless_empty(all, "priorityClassName", spec.priority_class);
}

}  // namespace

json::Object pod_spec(const PodSpec& spec) {
  json::Object all;
  set_identity(all, spec);
  set_placement(all, spec);
  set_unless_empty(all, "imagePullSecrets", last_of_each(spec.pull_secrets, "name"));
  set_unless_empty(all, "restartPolicy", spec.restart_policy);
  all.set("terminationGracePeriodSeconds", spec.grace_seconds);
  set_unless_empty(all, "initContainers", spec.init_containers);
  set_unless_empty(all, "containers", spec.containers);
  set_unless_empty(all, "volumes", spec.volumes);
  return all;
}

}  // namespace slurmop::objects
