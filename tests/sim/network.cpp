// SPDX-License-Identifier: Apache-2.0
#include "network.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace sim {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using net::http::Response;
using namespace std::chrono_literals;

constexpr auto kBookmarkEvery = 60s;
constexpr auto kMessageTimeout = 10s;     // of slurmrestd for requests to slurmctld
constexpr std::size_t kForgetOver = 256;  // number of exchanges before finished ones are removed
constexpr auto kLaterBy = 8s;             // longest delay of Fault::timed_out_later

// The answer of slurmrestd without slurmctld (reference/slurm.md 4). A submit and any other write
// certainly has no effect.
Response without_controller(const net::http::Request& request) {
  const auto response = [](int status, int number, std::string_view text) {
    return Response(status,
                    {{"Content-Type", "application/json"}, {"Connection", "Close"}},
                    fmt::format(R"({{"errors":[{{"error_number":{},"error":"{}",)"
                                R"("description":"","source":"sim"}}],"warnings":[]}})",
                                number,
                                text));
  };
  if (request.method != "GET")
    return response(502, 1800, "Unable to contact slurm controller (connect failure)");
  if (request.target.contains("/node"))
    return response(504, 5004, "Socket timed out on send/recv operation");
  return response(500, -1, "Unspecified error");
}

// The error answer of a system for a fault.
Response answer_of(System system, Fault fault) {
  const bool kube = system == System::kube;
  const auto status = [kube](int code, std::string_view reason, int number) {
    if (kube) {
      return Response(code,
                      {{"Content-Type", "application/json"}},
                      fmt::format(R"({{"kind":"Status","apiVersion":"v1","status":"Failure",)"
                                  R"("reason":"{}","message":"injected","code":{}}})",
                                  reason,
                                  code));
    }
    return Response(code,
                    {{"Content-Type", "application/json"}},
                    fmt::format(R"({{"errors":[{{"error_number":{},"error":"injected",)"
                                R"("description":"{}","source":"sim"}}],"warnings":[]}})",
                                number,
                                reason));
  };
  switch (fault) {
    case Fault::busy: return status(429, "TooManyRequests", -1);
    case Fault::failed: return status(500, "InternalError", -1);
    case Fault::bad_gateway: return status(502, "ServiceUnavailable", 1800);
    case Fault::forbidden: return status(403, "Forbidden", 2002);
    case Fault::bad_token:
      return kube ? status(401, "Unauthorized", 0) : status(511, "Authentication failure", 1007);
    default: return status(504, "Timeout", 5004);
  }
}

}  // namespace

bool is_read(const net::http::Request& request) {
  return request.method == "GET";
}

std::string describe(System, const net::http::Request& request) {
  std::string_view path = request.target;
  path = path.substr(0, path.find('?'));
  for (const std::string_view prefix : {"/api/v1/namespaces/", "/api/v1/", "/slurm/v0.0.45/"}) {
    if (path.starts_with(prefix)) {
      path.remove_prefix(prefix.size());
      break;
    }
  }
  return fmt::format("{} {}", request.method, path);
}

Network::Network(Agenda& agenda, Chance& chance, Faults& faults, Timeline& timeline)
    : agenda_(agenda), chance_(chance), faults_(faults), timeline_(timeline) {}

void Network::connect(models::kube::KubeServer& kube, models::slurm::SlurmCluster& slurm) {
  kube_ = &kube;
  slurm_ = &slurm;
  kube.on_write([this](const models::kube::ObjectWrite&) { objects_changed(); });
}

void Network::note(const Exchange& exchange,
                   System system,
                   const Fate& fate,
                   std::string_view outcome) {
  if (!timeline_.on()) return;
  const bool routine = outcome.starts_with("2") || outcome == "304";
  if (is_read(exchange.request) && !fate.fault && routine) return;
  std::string text = fmt::format("{} -> {}", describe(system, exchange.request), outcome);
  if (fate.fault) text += fmt::format("   [{}: {}]", name(system), name(*fate.fault));
  timeline_.add(exchange.sender, text);
}

std::shared_ptr<Exchange> Network::send(const std::string& sender,
                                        System system,
                                        net::http::Request request) {
  auto exchange = std::make_shared<Exchange>(std::move(request));
  exchange->sender = sender;
  exchange->sent_at = agenda_.now();
  exchange->slurm_life = slurm_lives_;
  if (exchanges_.size() >= kForgetOver) std::erase_if(exchanges_, std::not_fn(is_awaited));
  exchanges_.push_back(exchange);
  if (hooks_.before && !hooks_.before(sender, system, exchange->request)) return exchange;
  const Fate fate = faults_.decide(system, exchange->request);
  if (fate.fault == Fault::refused) {
    note(*exchange, system, fate, "nothing was sent");
    answer(exchange, Error(Kind::unreachable, "connection refused"), fate.back);
    return exchange;
  }
  const std::uint64_t writes = is_read(exchange->request) ? 0 : 1;
  writes_under_way_ += writes;
  agenda_.in(fate.there, [this, exchange, system, fate, writes] {
    writes_under_way_ -= writes;
    deliver(exchange, system, fate);
  });
  return exchange;
}

Response Network::act(Exchange& exchange, System system) {
  if (hooks_.arrives) hooks_.arrives(exchange);
  const bool list = system == System::kube && is_read(exchange.request) &&
                    exchange.request.target.contains("limit=");
  Response response = [&] {
    if (system == System::slurm) return slurm_->handle(exchange.request);
    if (list && stale_lists_ > 0) return stale_list(exchange.request);
    if (models::kube::KubeServer::is_watch(exchange.request)) return open_watch(exchange);
    return kube_->handle(exchange.request);
  }();
  if (hooks_.after) hooks_.after(exchange, system, response);
  return response;
}

// The answer of a server with an old cache: complete and consistent, but of an earlier moment.
Response Network::stale_list(net::http::Request request) {
  --stale_lists_;
  net::http::Request as_of = request;
  as_of.target += fmt::format("&resourceVersion={}&resourceVersionMatch=Exact", stale_version_);
  Response answer = kube_->handle(as_of);
  return answer.status == 200 ? answer : kube_->handle(request);
}

Response Network::open_watch(Exchange& exchange) {
  auto opened = kube_->open_watch(exchange.request);
  if (auto* refused = std::get_if<Response>(&opened)) return std::move(*refused);
  exchange.watch = std::get<models::kube::WatchCursor>(std::move(opened));
  return {200, {}, ""};
}

void Network::deliver(const std::shared_ptr<Exchange>& exchange, System system, Fate fate) {
  if (system == System::slurm && exchange->slurm_life != slurm_lives_)
    fate.fault = Fault::lost_before;
  const auto fault = fate.fault;
  const Error lost(Kind::lost, "the connection broke");
  if (fault == Fault::lost_before) {
    note(*exchange, system, fate, "no answer");
    return answer(exchange, lost, chance_.between(1ms, 30s));
  }
  if (fault == Fault::busy || fault == Fault::failed || fault == Fault::bad_gateway ||
      fault == Fault::bad_token || fault == Fault::forbidden) {
    Response response = answer_of(system, *fault);
    note(*exchange, system, fate, std::to_string(response.status));
    return answer(exchange, std::move(response), fate.back);
  }
  if (faults_.is_too_long(system, exchange->request)) {
    note(*exchange, system, fate, "414");
    return answer(exchange, Response(414, {}, "<html>414 Request-URI Too Large</html>"), fate.back);
  }
  if (fault == Fault::no_controller) return wait_for_controller(exchange, fate);
  if (fault == Fault::timed_out_later) {
    note(*exchange, system, fate, "504");
    ++writes_under_way_;
    agenda_.in(chance_.between(10ms, kLaterBy), [this, exchange, system] {
      --writes_under_way_;
      if (system == System::kube || exchange->slurm_life == slurm_lives_)
        (void)act(*exchange, system);
    });
    return answer(exchange, answer_of(system, *fault), fate.back);
  }
  const bool told = !fault || fault == Fault::slow || fault == Fault::duplicated;
  if (told) exchange->answered_at = agenda_.now() + fate.back;
  Response response = act(*exchange, system);
  if (fault == Fault::duplicated) response = act(*exchange, system);
  note(*exchange, system, fate, std::to_string(response.status));
  if (fault == Fault::lost_after) return answer(exchange, lost, chance_.between(1ms, 30s));
  if (fault == Fault::half_answered) return answer(exchange, lost, fate.back);
  if (fault == Fault::timed_out) return answer(exchange, answer_of(system, *fault), fate.back);
  answer(exchange, std::move(response), fate.back);
}

// slurmrestd tries to reach slurmctld for kMessageTimeout. A slurmctld that starts within this time
// gets the request.
void Network::wait_for_controller(const std::shared_ptr<Exchange>& exchange, Fate fate) {
  const base::Duration left = fate.until - agenda_.now();
  if (left > kMessageTimeout) {
    Response response = without_controller(exchange->request);
    note(*exchange, System::slurm, fate, std::to_string(response.status));
    return answer(exchange, std::move(response), kMessageTimeout + fate.back);
  }
  const std::uint64_t writes = is_read(exchange->request) ? 0 : 1;
  writes_under_way_ += writes;
  agenda_.in(left, [this, exchange, fate, writes]() mutable {
    writes_under_way_ -= writes;
    exchange->slurm_life = slurm_lives_;
    fate.fault.reset();
    deliver(exchange, System::slurm, fate);
  });
}

void Network::answer(const std::shared_ptr<Exchange>& exchange,
                     Result<Response> with,
                     base::Duration back) {
  agenda_.in(back,
             [exchange, with = std::move(with)]() mutable { exchange->settle(std::move(with)); });
}

// --- watches ---

std::shared_ptr<OpenWatch> Network::watch(models::kube::WatchCursor cursor) {
  auto opened = std::make_shared<OpenWatch>();
  opened->cursor = std::move(cursor);
  std::erase_if(watches_, [](const auto& one) { return one.use_count() == 1; });
  watches_.push_back(opened);
  feed(opened);
  remind(opened);
  return opened;
}

void Network::objects_changed() {
  for (const auto& watch : watches_) feed(watch);
}

void Network::feed(const std::shared_ptr<OpenWatch>& watch) {
  if (watch->reading || watch->ended || watch->stalled || watch.use_count() == 1) return;
  watch->reading = true;
  agenda_.in(chance_.between(200us, 5ms), [this, watch] {
    watch->reading = false;
    if (watch->ended || watch->stalled) return;
    if (kube_->read_watch(watch->cursor, watch->arrived, 1000) > 0) watch->wake();
  });
}

void Network::cut_watches(bool in_good_order) {
  for (const auto& watch : watches_) {
    watch->ended = true;
    watch->broken = !in_good_order;
    // An incomplete line, which the client must ignore.
    if (!in_good_order) watch->arrived += R"({"type":"MODIFIED","object":{"metadata":{"na)";
    watch->wake();
  }
  watches_.clear();
}

// Sends bookmarks periodically, as every API server does.
void Network::remind(const std::shared_ptr<OpenWatch>& watch) {
  agenda_.in(kBookmarkEvery, [this, weak = std::weak_ptr(watch)] {
    const auto open = weak.lock();
    if (!open || open->ended || open->stalled) return;
    open->arrived += kube_->bookmark(open->cursor);
    open->wake();
    remind(open);
  });
}

void Network::stall_watches() {
  for (const auto& watch : watches_) watch->stalled = true;
}

// A watch that no client reads is referenced only by watches_.
bool Network::any_silent() const {
  return std::ranges::any_of(
      watches_, [](const auto& watch) { return watch->stalled && watch.use_count() > 1; });
}

bool Network::is_awaited(const std::weak_ptr<Exchange>& exchange) {
  const auto open = exchange.lock();
  return open && open->waiting != nullptr && !open->outcome;
}

std::vector<std::weak_ptr<Exchange>> Network::under_way() {
  std::erase_if(exchanges_, [](const auto& one) { return !is_awaited(one); });
  return exchanges_;
}

void Network::serve_stale_lists(std::uint64_t count) {
  stale_version_ = kube_->version();
  stale_lists_ = count;
}

// --- the transport of a process ---

net::Task<Result<std::shared_ptr<Exchange>>> Link::exchange(net::http::Request request,
                                                            base::Instant deadline) {
  if (severed_) co_return net::cancelled();
  auto exchange = network_.send(sender_, system_, std::move(request));
  Bell bell(loop_, stirred_);
  exchange->waiting = &bell;
  const auto woken = co_await bell.until(deadline);
  exchange->waiting = nullptr;
  if (severed_ || woken == net::Waiter::Woken::cancelled) co_return net::cancelled();
  if (woken == net::Waiter::Woken::timed_out) co_return Error(Kind::lost, "no answer in time");
  if (!exchange->outcome->ok()) co_return exchange->outcome->error();
  co_return exchange;
}

net::Task<Result<Response>> Link::send(net::http::Request request, base::Instant deadline) {
  CO_TRY(const auto done, co_await exchange(std::move(request), deadline));
  co_return std::move(*done->outcome);
}

namespace {

class WatchBody final : public net::http::Body {
 public:
  WatchBody(net::Loop& loop,
            std::shared_ptr<OpenWatch> watch,
            base::Instant server_ends,
            bool& stirred)
      : loop_(loop), watch_(std::move(watch)), server_ends_(server_ends), stirred_(stirred) {}

  net::Task<Result<std::size_t>> read(std::string& append_to, base::Instant deadline) override {
    if (watch_->arrived.empty() && !watch_->ended) {
      Bell bell(loop_, stirred_);
      watch_->waiting = &bell;
      const auto woken = co_await bell.until(std::min(deadline, end()));
      watch_->waiting = nullptr;
      if (woken == net::Waiter::Woken::cancelled) co_return net::cancelled();
    }
    if (!watch_->arrived.empty()) {
      const std::size_t size = watch_->arrived.size();
      append_to += std::exchange(watch_->arrived, {});
      co_return size;
    }
    if (watch_->broken) co_return Error(Kind::lost, "the watch broke off");
    if (watch_->ended || loop_.now() >= end()) co_return std::size_t{0};
    co_return Error(Kind::lost, "nothing came by the deadline");
  }

 private:
  // A server ends every watch at its timeout. The end of a stalled watch does not arrive.
  base::Instant end() const { return watch_->stalled ? base::kNever : server_ends_; }

  net::Loop& loop_;
  std::shared_ptr<OpenWatch> watch_;
  base::Instant server_ends_;
  bool& stirred_;
};

// A body that has arrived completely.
class TextBody final : public net::http::Body {
 public:
  explicit TextBody(std::string text) : text_(std::move(text)) {}
  net::Task<Result<std::size_t>> read(std::string& append_to, base::Instant) override {
    const std::size_t size = text_.size();
    append_to += std::exchange(text_, {});
    co_return size;
  }

 private:
  std::string text_;
};

constexpr auto kWatchTimeout = 290s;

}  // namespace

net::Task<Result<net::http::StreamingResponse>> Link::open(net::http::Request request,
                                                           base::Instant deadline) {
  CO_TRY(const auto done, co_await exchange(std::move(request), deadline));
  Response& answer = done->outcome->value();
  if (!done->watch) {
    co_return net::http::StreamingResponse(
        answer.status, answer.headers, std::make_unique<TextBody>(std::move(answer.body)));
  }
  auto body = std::make_unique<WatchBody>(
      loop_, network_.watch(*done->watch), loop_.in(kWatchTimeout), stirred_);
  co_return net::http::StreamingResponse(200, {}, std::move(body));
}

}  // namespace sim
