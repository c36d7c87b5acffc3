// SPDX-License-Identifier: Apache-2.0
#include "kube/events/events.h"

#include "base/backoff.h"

namespace kube::inline events {

using base::Kind;
using base::Result;
using namespace std::chrono_literals;

namespace {

constexpr auto kCallTimeout = 10s;
constexpr std::uint32_t kTries = 5;

}  // namespace

Events::Events(net::Loop& loop, Client& client, Options options, base::Log log)
    : loop_(loop),
      calls_(loop, client, kEvents),
      log_(std::move(log)),
      aggregator_(std::move(options.component), std::move(options.instance), options.limits),
      changed_(loop) {
  calls_.set_timeout(kCallTimeout);
}

void Events::record(EventRecord event) {
  if (aggregator_.record(std::move(event), {loop_.now(), loop_.clock().wall(), loop_.random()})) {
    changed_.notify();
  } else {
    ++dropped_;
  }
}

net::Task<void> Events::run() {
  for (;;) {
    std::optional<EventWrite> next = aggregator_.next();
    if (!next) {
      auto woken = co_await changed_.wait();
      if (!woken.ok()) co_return;
      continue;
    }
    const bool patched = !next->create;
    auto outcome = co_await write(std::move(*next));
    if (outcome.ok()) {
      ++written_;
      aggregator_.written();
    } else if (outcome.error().is(Kind::cancelled)) {
      aggregator_.given_up();
      co_return;
    } else if (patched && outcome.error().is(Kind::not_found)) {
      aggregator_.missing(loop_.random());
    } else {
      ++failed_;
      aggregator_.given_up();
      log_.debug("an event was not written", {{"error", outcome.error().to_string()}});
    }
  }
}

net::Task<Result<void>> Events::write(EventWrite write) {
  base::Backoff backoff({200ms, 10s}, [this] { return loop_.random(); });
  for (;;) {
    auto outcome = co_await write_once(write);
    if (outcome.ok()) co_return outcome;
    const bool permanent = !base::passes_by_itself(outcome.error().kind());
    if (permanent || backoff.failures() + 1 >= kTries) co_return outcome;
    const base::Duration asked_for = outcome.error().retry_after().value_or(0ms);
    CO_TRY_VOID(co_await loop_.sleep_for(backoff.next(asked_for)));
  }
}

net::Task<Result<void>> Events::write_once(EventWrite write) {
  auto answer = write.create
                    ? co_await calls_.create(std::move(write.body), {})
                    : co_await calls_.patch(write.key, PatchType::merge, std::move(write.body), {});
  // The name is our own and random, so a conflict means that an earlier attempt was stored.
  const bool already_stored = !answer.ok() && write.create && answer.error().is(Kind::conflict);
  if (!answer.ok() && !already_stored) co_return std::move(answer).error();
  co_return Result<void>();
}

}  // namespace kube::inline events
