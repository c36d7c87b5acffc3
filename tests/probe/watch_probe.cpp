// SPDX-License-Identifier: Apache-2.0
// Follows one collection of a real API server and tells, on SIGUSR1 and at its end, what its store
// holds and what that cost. The end-to-end tests put a proxy that cuts connections in between.
#include "base/flags.h"
#include "base/log.h"
#include "json/decode.h"
#include "kube/api/describe.h"
#include "kube/auth/connect.h"
#include "kube/auth/kubeconfig.h"
#include "kube/cache/reflector.h"
#include "kube/cache/store.h"
#include "net/async/task_group.h"
#include "net/process/os_signals.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

namespace probe {

struct Named {
  kube::ObjectMeta metadata;
};
BOOST_DESCRIBE_STRUCT(Named, (), (metadata))

}  // namespace probe

template <>
base::Result<probe::Named> kube::decode_object<probe::Named>(const json::Node& node) {
  return json::decode<probe::Named>(node);
}

namespace {

void report(const kube::Store<probe::Named>& store, const kube::Reflector& reflector) {
  json::Object objects;
  for (const auto& [key, object] : store.objects())
    objects.set(key.name, object->metadata.resourceVersion);
  const json::Object line{{"synced", store.synced()},
                          {"lists", reflector.lists()},
                          {"gone", reflector.gone_answers()},
                          {"watches", reflector.watches()},
                          {"objects", std::move(objects)}};
  fmt::print("{}\n", json::Value(line).dump());
  (void)std::fflush(stdout);
}

const std::vector<int> kSignals = {SIGUSR1, SIGTERM, SIGINT};

net::Task<void> run(net::Loop& loop,
                    net::TaskGroup& tasks,
                    const kube::Store<probe::Named>& store,
                    const kube::Reflector& reflector) {
  for (int signal = SIGUSR1; signal == SIGUSR1;) {
    signal = co_await net::wait_for_signal(loop, kSignals);
    report(store, reflector);
  }
  tasks.cancel();
  co_await tasks.join();
}

int fail(const base::Error& error) {
  fmt::print(stderr, "watch_probe: {}\n", error.to_string());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string kubeconfig;
  std::string ns;
  std::string resource = "configmaps";
  std::string field_selector;
  base::Flags flags("watch_probe", "Follows one collection of the core API.");
  flags.add("kubeconfig", &kubeconfig, "how to reach the API server");
  flags.add("namespace", &ns, "empty: all");
  flags.add("resource", &resource, "plural name in the core API");
  flags.add("field-selector", &field_selector, "which objects");
  const auto outcome = flags.parse(argc, argv);
  if (!outcome.ok()) return fail(outcome.error());

  base::RealClock clock;
  net::Loop loop(clock);
  const base::Log log(
      [](std::string_view line) { (void)std::fwrite(line.data(), 1, line.size(), stderr); },
      clock,
      base::LogFormat::human,
      base::LogLevel::debug);
  const auto config = kube::load_kubeconfig(kubeconfig);
  if (!config.ok()) return fail(config.error());
  kube::Credentials credentials = config->credentials(loop);
  const auto transport = kube::connect(loop, *config, credentials, "watch-probe");
  if (!transport.ok()) return fail(transport.error());
  kube::Client client(**transport, credentials);
  kube::Store<probe::Named> store;
  kube::Reflector reflector(
      loop, client, {{"/api/v1", resource}, ns, "", field_selector}, store, log);

  net::TaskGroup tasks(loop);
  tasks.spawn("reflector", reflector.run());
  net::TaskGroup root(loop);
  root.spawn("report", run(loop, tasks, store, reflector));
  loop.run();
  return 0;
}
