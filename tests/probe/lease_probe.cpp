// SPDX-License-Identifier: Apache-2.0
// Takes part in a leader election, says each change on its standard output, writes an Event about a
// node when it begins to lead, and releases the Lease on SIGTERM. For tests with a real API server
// and with other electors.
#include "base/flags.h"
#include "kube/auth/connect.h"
#include "kube/auth/kubeconfig.h"
#include "kube/election/election.h"
#include "kube/events/events.h"
#include "net/async/task_group.h"
#include "net/process/os_signals.h"

#include <fmt/format.h>

#include <cstdio>

namespace {

void say(std::string_view text) {
  fmt::print("{}\n", text);
  (void)std::fflush(stdout);
}

struct Probe {
  net::Task<void> serve() {
    for (;;) {
      auto acquired = co_await election.acquire();
      if (!acquired.ok()) co_return;
      say("leading");
      events.record({about, kube::Severity::normal, "Leading", "the probe leads"});
      auto held = co_await election.hold();
      say(held.error().to_string());
      if (held.error().is(base::Kind::cancelled)) co_return;
    }
  }

  net::Task<void> run() {
    tasks.spawn("events", events.run());
    tasks.spawn("elector", serve());
    (void)co_await net::wait_for_stop_signal(loop);
    tasks.cancel();
    co_await tasks.join();
    const auto released = co_await election.release();
    say(released.ok() ? "released" : released.error().to_string());
  }

  net::Loop& loop;
  kube::Election& election;
  kube::Events& events;
  kube::EventSubject about;
  net::TaskGroup tasks{loop};
};

int fail(const base::Error& error) {
  fmt::print(stderr, "lease_probe: {}\n", error.to_string());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string kubeconfig;
  std::string ns = "default";
  std::string name = "probe";
  std::string identity;
  std::string node;
  base::Flags flags("lease_probe", "Takes part in a leader election.");
  flags.add("kubeconfig", &kubeconfig, "how to reach the API server");
  flags.add("namespace", &ns, "of the Lease");
  flags.add("name", &name, "of the Lease");
  flags.add("identity", &identity, "ours, not used by anybody else");
  flags.add("node", &node, "what the Event is about");
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
  const auto transport = kube::connect(loop, *config, credentials, "lease-probe");
  if (!transport.ok()) return fail(transport.error());
  kube::Client client(**transport, credentials);
  kube::Election election(loop, client, {.lease = {ns, name}, .identity = identity}, log);
  kube::Events events(loop, client, {.component = "lease-probe", .instance = identity}, log);

  Probe probe{loop, election, events, {"Node", {"", node}, kube::Uid(node)}};
  net::TaskGroup root(loop);
  root.spawn("probe", probe.run());
  loop.run();
  return 0;
}
