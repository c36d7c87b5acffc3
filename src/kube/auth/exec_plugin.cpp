// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/exec_plugin.h"

#include <fmt/format.h>

#include <algorithm>

namespace kube::inline auth {

using base::Error;
using base::Kind;
using base::Result;
using Credential = std::shared_ptr<const ExecCredential>;

ExecPlugin::ExecPlugin(net::Loop& loop, ExecSpec spec)
    : loop_(loop), spec_(std::move(spec)), done_(loop) {}

net::Task<Result<Credential>> ExecPlugin::credential(base::Instant deadline) {
  for (;;) {
    const base::Instant now = loop_.now();
    if (held_ && now < valid_until_) co_return held_;
    if (!child_) {
      if (failure_ && now < ended_at_ + kPause) co_return *failure_;
      CO_TRY_VOID(start());
    }
    CO_TRY(const bool ended, co_await done_.wait_until(deadline));
    if (!ended && child_) {
      co_return Error(Kind::unreachable,
                      fmt::format("the exec plugin {} has not answered yet", spec_.command));
    }
  }
}

void ExecPlugin::refused() {
  if (loop_.now() >= ended_at_ + kPause) valid_until_ = base::Instant::min();
}

Result<void> ExecPlugin::start() {
  ++runs_;
  net::Command command;
  command.argv = spec_.args;
  command.argv.insert(command.argv.begin(), spec_.command);
  command.environment = net::environment();
  const auto put = [&](const std::string& variable) {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(command.environment, [&](const std::string& v) { return v.starts_with(name); });
    command.environment.push_back(variable);
  };
  for (const std::string& variable : spec_.environment) put(variable);
  put("KUBERNETES_EXEC_INFO=" + exec_info(spec_));

  auto child = net::Child::start(
      loop_, std::move(command), [this](Result<net::Finished> how) { finished(std::move(how)); });
  if (!child.ok()) {
    failure_ = explain(std::move(child).error());
    ended_at_ = loop_.now();
    return *failure_;
  }
  child_ = std::move(*child);
  return {};
}

void ExecPlugin::finished(Result<net::Finished> how) {
  child_.reset();
  ended_at_ = loop_.now();
  auto credential = read(std::move(how));
  if (credential.ok()) {
    keep(std::move(*credential));
  } else {
    failure_ = explain(std::move(credential).error());
  }
  done_.notify();
}

Result<ExecCredential> ExecPlugin::read(Result<net::Finished> how) const {
  if (!how.ok()) return std::move(how).error();
  if (how->code != 0) {
    return Error(
        Kind::unauthorized,
        fmt::format(
            "exit code {}{}{}", how->code, how->stderr_tail.empty() ? "" : ": ", how->stderr_tail));
  }
  auto credential = parse_exec_credential(spec_, how->output);
  base::wipe(how->output);
  return credential;
}

void ExecPlugin::keep(ExecCredential credential) {
  valid_until_ = base::kNever;
  if (credential.expires) {
    // From here on the monotonic clock counts. A tenth of the validity, at most half a minute, is
    // left unused, so that no request carries a credential that expires in transit.
    const base::Duration left = *credential.expires - loop_.clock().wall();
    const base::Duration spare = std::min<base::Duration>(left / 10, std::chrono::seconds(30));
    valid_until_ = loop_.in(std::max<base::Duration>(left - spare, kPause));
  }
  failure_.reset();
  held_ = std::make_shared<const ExecCredential>(std::move(credential));
}

Error ExecPlugin::explain(Error error) const {
  const bool missing = error.is(Kind::not_found);
  const Kind kind = missing ? Kind::not_found : Kind::unauthorized;
  std::string text = fmt::format("exec plugin {}: {}", spec_.command, error.message());
  if (missing && !spec_.install_hint.empty()) text += "\n" + spec_.install_hint;
  return Error(kind, std::move(text));
}

}  // namespace kube::inline auth
