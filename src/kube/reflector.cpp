// SPDX-License-Identifier: Apache-2.0
#include "kube/reflector.h"

namespace kube {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using namespace std::chrono_literals;

constexpr std::size_t kPageSize = 500;
constexpr auto kListTimeout = 60s;
constexpr auto kOpenTimeout = 30s;
// The server ends a watch after this time; a little later we stop believing in the connection.
constexpr auto kWatchTime = 290s;
constexpr auto kGraceAfterWatchTime = 15s;
// Servers send a bookmark about once a minute. A watch that is silent for longer may be a
// connection that broke without a word; asking again costs one request.
constexpr auto kLongestSilence = 90s;

}  // namespace

Reflector::Reflector(
    net::Loop& loop, Client& client, Selection selection, Sink& sink, base::Log log)
    : loop_(loop),
      client_(client),
      selection_(std::move(selection)),
      sink_(sink),
      log_(std::move(log)),
      backoff_(base::BackoffPolicy{50ms, 10s}, [&loop] { return loop.random(); }) {}

net::Task<void> Reflector::run() {
  for (;;) {
    auto outcome = version_.empty() ? co_await list() : co_await watch();
    if (outcome.ok()) continue;
    if (outcome.error().is(Kind::cancelled)) co_return;
    if (outcome.error().is(Kind::gone)) {
      ++gone_;
      auto paused = co_await begin_anew();
      if (!paused.ok()) co_return;
      continue;
    }
    const bool senseless = outcome.error().is(Kind::protocol) && !version_.empty();
    const bool again = senseless && version_ == senseless_after_;
    if (senseless) senseless_after_ = version_;
    auto paused = co_await pause_after(outcome.error());
    if (paused.ok() && again) paused = co_await begin_anew();
    if (!paused.ok()) co_return;
  }
}

net::Task<Result<void>> Reflector::begin_anew() {
  version_.clear();
  if (lists_in_vain_++ == 0) co_return Result<void>();
  co_return co_await loop_.sleep_for(
      base::backoff_delay(base::BackoffPolicy{50ms, 30s}, lists_in_vain_ - 2, loop_.random()));
}

net::Task<Result<void>> Reflector::pause_after(const Error& error) {
  log_.debug("list or watch was interrupted",
             {{"resource", selection_.resource.plural}, {"error", error.to_string()}});
  co_return co_await loop_.sleep_for(backoff_.next(error.retry_after().value_or(0ms)));
}

void Reflector::answered() {
  const bool had_failed = backoff_.failures() > 0;
  backoff_.reset();
  if (had_failed && on_recovery_) on_recovery_();
}

net::Task<Result<void>> Reflector::list() {
  ++lists_;
  std::string continue_token;
  bool first = true;
  do {
    auto page = co_await client_.get(list_path(selection_, kPageSize, continue_token),
                                     loop_.now() + kListTimeout);
    if (!page.ok()) {
      // Only this page was lost, not the list; but an expired list has to begin anew.
      if (page.error().is(Kind::gone) || page.error().is(Kind::cancelled)) {
        co_return std::move(page).error();
      }
      CO_TRY_VOID(co_await pause_after(page.error()));
      continue;
    }
    CO_TRY_VOID(take_page(*page, continue_token, first));
    answered();
  } while (first || !continue_token.empty());
  sink_.list_ends();
  co_return Result<void>();
}

Result<void> Reflector::take_page(const std::string& body,
                                  std::string& continue_token,
                                  bool& first) {
  TRY(const json::Node page, parser_.parse(body));
  const auto metadata = page.find("metadata");
  const auto version = metadata ? metadata->find("resourceVersion") : std::nullopt;
  if (!version || !version->as_string())
    return Error(Kind::protocol, "a list without metadata.resourceVersion");

  if (first) sink_.list_begins();
  first = false;
  if (const auto items = page.find("items")) {
    items->each_element([&](json::Node item) {
      sink_.list_item(item);
      return true;
    });
  }
  const auto next = metadata->find("continue");
  continue_token = std::string(next ? next->as_string().value_or("") : "");
  if (continue_token.empty()) version_ = std::string(*version->as_string());
  return {};
}

net::Task<Result<void>> Reflector::watch() {
  ++watches_;
  const base::Instant believe_until = loop_.now() + kWatchTime + kGraceAfterWatchTime;
  auto answer = co_await client_.stream(watch_path(selection_, version_, kWatchTime),
                                        loop_.now() + kOpenTimeout);
  if (!answer.ok()) co_return std::move(answer).error();
  answered();

  LineSplitter lines;
  for (;;) {
    auto got = co_await answer->body->read(lines.buffer(),
                                           std::min(believe_until, loop_.in(kLongestSilence)));
    if (got.ok()) answered();
    while (const auto line = lines.next()) {
      CO_TRY_VOID(take_line(*line));
    }
    lines.compact();
    if (!got.ok()) co_return std::move(got).error();
    if (*got == 0) co_return Result<void>();  // the server ended it in good order
  }
}

Result<void> Reflector::take_line(std::string_view line) {
  if (line.empty()) return {};
  TRY(const json::Node root, parser_.parse(line));
  TRY(const WatchEvent event, read_event(root));
  switch (event.type) {
    case EventType::added:
    case EventType::modified: sink_.changed(event.object); break;
    case EventType::deleted: sink_.deleted(event.object); break;
    case EventType::bookmark: break;
    case EventType::error: return error_in_event(event.object);
  }
  lists_in_vain_ = 0;
  if (const auto version = resource_version(event.object); !version.empty())
    version_ = std::string(version);
  return {};
}

}  // namespace kube
