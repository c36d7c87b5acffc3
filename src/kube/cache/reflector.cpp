// SPDX-License-Identifier: Apache-2.0
#include "kube/cache/reflector.h"

namespace kube::inline cache {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using namespace std::chrono_literals;

constexpr auto kListTimeout = 60s;
constexpr auto kOpenTimeout = 30s;
// The server ends a watch after this time; shortly after it the connection counts as broken.
constexpr auto kWatchTime = 290s;
constexpr auto kGraceAfterWatchTime = 15s;
// Servers send a bookmark about once a minute. A watch without any event for longer may be a broken
// connection; a new watch costs one request.
constexpr auto kLongestSilence = 90s;

}  // namespace

Reflector::Reflector(
    net::Loop& loop, Client& client, Selection selection, Sink& sink, base::Log log)
    : loop_(loop),
      client_(client),
      selection_(std::move(selection)),
      sink_(sink),
      log_(std::move(log)),
      backoff_(base::BackoffPolicy{50ms, 10s}, [&loop] { return loop.random(); }),
      health_(std::string(selection_.resource.plural)) {}

net::Task<void> Reflector::run() {
  for (;;) {
    auto outcome = co_await step();
    if (outcome.ok()) continue;
    if (outcome.error().is(Kind::cancelled)) co_return;
    const auto waited = co_await recover(std::move(outcome).error());
    if (!waited.ok()) co_return;
  }
}

net::Task<Result<void>> Reflector::step() {
  if (std::holds_alternative<Empty>(state_)) {
    ++lists_;
    page_size_.list_begins();
    state_ = InitialPage{};
  }
  if (std::holds_alternative<InitialPage>(state_)) return next_page();
  if (std::holds_alternative<Listed>(state_)) return open_watch();
  return read_watch();
}

net::Task<Result<void>> Reflector::recover(Error error) {
  if (error.is(Kind::gone)) {
    ++gone_;
    co_return co_await relist();
  }
  if (error.is(Kind::not_found) && selection_.may_be_absent) {
    state_ = Empty{};
    sink_.not_served();
  }
  const std::string version = this->version();
  const bool bad_event = error.is(Kind::protocol) && !version.empty();
  const bool bad_again = bad_event && version == bad_event_after_;
  if (bad_event) bad_event_after_ = version;
  CO_TRY_VOID(co_await pause_after(version.empty() ? Verb::list : Verb::watch, error));
  if (bad_again) co_return co_await relist();
  co_return Result<void>();
}

net::Task<Result<void>> Reflector::relist() {
  state_ = Empty{};
  if (lists_without_event_++ == 0) co_return Result<void>();
  co_return co_await loop_.sleep_for(base::backoff_delay(
      base::BackoffPolicy{50ms, 30s}, lists_without_event_ - 2, loop_.random()));
}

std::string Reflector::version() const {
  if (const auto* listed = std::get_if<Listed>(&state_)) return listed->version;
  if (const auto* watching = std::get_if<Watching>(&state_)) return watching->version;
  return "";
}

net::Task<Result<void>> Reflector::pause_after(Verb verb, const Error& error) {
  log_.debug("list or watch was interrupted",
             {{"verb", name(verb)},
              {"resource", selection_.resource.plural},
              {"error", error.to_string()}});
  const base::Instant now = loop_.now();
  report(health_.failed(verb, error, {request_sent_.value_or(now), now}));
  co_return co_await loop_.sleep_for(backoff_.next(error.retry_after().value_or(0ms)));
}

void Reflector::request_succeeded() {
  const bool had_failed = backoff_.failures() > 0;
  backoff_.reset();
  if (had_failed && on_recovery_) on_recovery_();
}

void Reflector::report(const std::optional<ListWatchReport>& report) {
  if (!report) return;
  if (on_report_) return on_report_(*report);
  if (report->state == ListWatchReport::State::failing) {
    log_.warn(report->message, {{"verb", name(report->verb)}, {"resource", report->resource}});
  } else {
    log_.info(report->message, {{"verb", name(report->verb)}, {"resource", report->resource}});
  }
}

void Reflector::shrink_page(const Error& error, base::Instant deadline) {
  const bool late = loop_.now() >= deadline;
  if (!page_size_.page_failed(
          error, late ? PageSize::Ended::at_the_deadline : PageSize::Ended::before_the_deadline))
    return;
  log_.info("a page of a list is too large: asking for a smaller one",
            {{"resource", selection_.resource.plural},
             {"objects", page_size_.now()},
             {"error", error.to_string()}});
}

net::Task<Result<void>> Reflector::next_page() {
  request_sent_ = loop_.now();
  const base::Instant deadline = *request_sent_ + kListTimeout;
  const std::string& from = std::get<InitialPage>(state_).continue_token;
  auto page =
      co_await client_.get(list_path(selection_, page_size_.now(), from),
                           deadline,
                           selection_.metadata_only ? Content::metadata_list : Content::whole);
  if (!page.ok()) {  // only this page was lost, not the list
    shrink_page(page.error(), deadline);
    co_return std::move(page).error();
  }
  auto taken = take_page(*page);
  if (!taken.ok()) {
    state_ = Empty{};
    co_return std::move(taken).error();
  }
  request_succeeded();
  report(health_.succeeded(Verb::list));
  if (std::holds_alternative<Listed>(state_)) sink_.list_ends();
  co_return Result<void>();
}

Result<void> Reflector::take_page(const std::string& body) {
  TRY(const json::Node page, parser_.parse(body));
  const auto metadata = page.find("metadata");
  const auto version = metadata ? metadata->find("resourceVersion") : std::nullopt;
  if (!version || !version->as_string())
    return Error(Kind::protocol, "a list without metadata.resourceVersion");

  auto& state = std::get<InitialPage>(state_);
  if (std::exchange(state.first, false)) sink_.list_begins();
  if (const auto items = page.find("items")) {
    items->each_element([&](json::Node item) {
      sink_.list_item(item);
      return true;
    });
  }
  const auto next = metadata->find("continue");
  state.continue_token = std::string(next ? next->as_string().value_or("") : "");
  if (state.continue_token.empty()) state_ = Listed{std::string(*version->as_string())};
  return {};
}

net::Task<Result<void>> Reflector::open_watch() {
  ++watches_;
  request_sent_ = loop_.now();
  const base::Instant valid_until = loop_.now() + kWatchTime + kGraceAfterWatchTime;
  const std::string from = std::get<Listed>(state_).version;
  auto answer =
      co_await client_.stream(watch_path(selection_, from, kWatchTime),
                              loop_.now() + kOpenTimeout,
                              selection_.metadata_only ? Content::metadata : Content::whole);
  if (!answer.ok()) co_return std::move(answer).error();
  request_sent_.reset();
  request_succeeded();
  report(health_.opened());
  state_ = Watching{from, std::move(answer->body), valid_until, {}};
  co_return Result<void>();
}

net::Task<Result<void>> Reflector::read_watch() {
  auto& watching = std::get<Watching>(state_);
  auto got = co_await watching.body->read(
      watching.lines.buffer(), std::min(watching.valid_until, loop_.in(kLongestSilence)));
  if (got.ok()) request_succeeded();
  auto taken = take_lines(watching);
  if (taken.ok() && got.ok() && *got > 0) co_return Result<void>();
  state_ = Listed{std::move(watching.version)};  // closes the connection
  if (!taken.ok()) co_return std::move(taken).error();
  if (!got.ok()) co_return std::move(got).error();
  co_return Result<void>();  // the server ended the watch in an orderly way
}

Result<void> Reflector::take_lines(Watching& watching) {
  while (const auto line = watching.lines.next()) TRY_VOID(take_line(*line, watching.version));
  watching.lines.compact();
  return {};
}

Result<void> Reflector::take_line(std::string_view line, std::string& version) {
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
  lists_without_event_ = 0;
  report(health_.succeeded(Verb::watch));
  if (const auto received = resource_version(event.object); !received.empty())
    version = std::string(received);
  return {};
}

}  // namespace kube::inline cache
