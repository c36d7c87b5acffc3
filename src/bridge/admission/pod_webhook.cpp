// SPDX-License-Identifier: Apache-2.0
#include "bridge/admission/pod_webhook.h"

#include "kube/api/self_subject_review.h"
#include "kube/client/api.h"
#include "net/async/task_group.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace bridge {
namespace {

using admission::Review;
using admission::Verdict;
using base::Error;
using base::Kind;
using base::Result;
using net::http::Answer;
using net::http::Request;
using net::http::Response;
using namespace std::chrono_literals;

// Less than the API server's timeout: an answer with a reason is better than a timeout.
constexpr auto kLookUpWithin = 2s;
constexpr auto kStartTimeout = 10s;
constexpr auto kTryAgain = 1s;

// Answers take a fraction of a millisecond; more than a few milliseconds means waiting.
std::vector<double> answer_seconds() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5};
}

Response plain(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text) + "\n"};
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));  // the API server adds ?timeout=5s
}

Verdict denied(int code, std::string message) {
  Verdict verdict;
  verdict.denial = admission::Denial{code, std::move(message)};
  return verdict;
}

std::string_view name_of(const Verdict& verdict) {
  if (verdict.denial) return verdict.denial->code >= 500 ? "failed" : "denied";
  return verdict.patch.empty() ? "allowed" : "patched";
}

}  // namespace

PodWebhook::PodWebhook(net::Loop& loop,
                       kube::Client& kube,
                       const base::Log& log,
                       PodWebhookOptions options,
                       telemetry::Metrics& metrics)
    : loop_(loop),
      kube_(kube),
      log_(log),
      options_(std::move(options)),
      rules_{options_.scheduler_name,
             std::nullopt,
             admission::trusted_namespaces(options_.managed, own_namespace_)},
      namespaces_(loop, kube, log),
      applied_(loop),
      verdicts_(metrics.counters({"slurm_bridge_admission_verdicts_total",
                                  "Answers to admission reviews of pods.",
                                  {"webhook", "verdict"}})),
      seconds_(metrics.histograms({"slurm_bridge_admission_duration_seconds",
                                   "How long the API server waited for an answer.",
                                   {"webhook"}},
                                  answer_seconds())) {}

Result<void> PodWebhook::ready() const {
  if (!rules_.bridge_users)
    return Error(Kind::unavailable, "the bridge's own user name is not known yet");
  if (options_.managed.selector && !namespaces_.synced())
    return Error(Kind::unavailable, "the namespaces have not been listed yet");
  return {};
}

net::Task<void> PodWebhook::run() {
  net::TaskGroup tasks(loop_);
  tasks.spawn("own name", learn_own_name());
  bool following = false;
  do {
    if (options_.managed.selector && !std::exchange(following, true))
      tasks.spawn("namespace reflector", namespaces_.run());
  } while ((co_await applied_.wait()).ok());
  tasks.cancel();
  co_await tasks.join();
}

void PodWebhook::apply(admission::ManagedNamespaces managed) {
  options_.managed = std::move(managed);
  rules_.trusted = admission::trusted_namespaces(options_.managed, own_namespace_);
  applied_.notify();
}

net::Task<void> PodWebhook::learn_own_name() {
  for (;;) {
    const auto learned = co_await ask_for_own_name();
    if (learned.ok() || learned.error().is(Kind::cancelled)) co_return;
    log_.warn("cannot read the bridge's own user name yet", {{"error", learned.error()}});
    if (!(co_await loop_.sleep_for(kTryAgain)).ok()) co_return;
  }
}

net::Task<Result<void>> PodWebhook::ask_for_own_name() {
  const auto reviews = kube::Api<kube::SelfSubjectReview>(loop_, kube_).within(kStartTimeout);
  CO_TRY(const kube::SelfSubjectReview review, co_await reviews.create(json::Object()));
  CO_TRY(const std::string own, admission::user_of(review));
  admission::Users users = admission::users_beside(own, options_.scheduler_name);
  users.insert(options_.bridge_users.begin(), options_.bridge_users.end());
  log_.info("users that count as the bridge",
            {{"users", fmt::format("{}", fmt::join(users, " "))}});
  rules_.bridge_users = std::move(users);
  own_namespace_ = admission::namespace_of_account(own);
  rules_.trusted = admission::trusted_namespaces(options_.managed, own_namespace_);
  co_return Result<void>();
}

net::Task<Answer> PodWebhook::answer(Request request) {
  const std::string_view path = path_of(request.target);
  const bool mutates = path == kMutatePath;
  if (!mutates && path != kValidatePath) co_return plain(404, "no such webhook");
  if (request.method != "POST") co_return plain(405, "POST an AdmissionReview");
  co_return co_await review(std::move(request.body),
                            mutates ? "mutate" : "validate",
                            mutates ? admission::mutate : admission::validate);
}

net::Task<Response> PodWebhook::review(std::string body, std::string_view webhook, Judge judge) {
  const base::Instant began = loop_.now();
  json::Parser parser;
  const auto document = parser.parse(body);
  auto uid =
      document.ok() ? admission::review_uid(*document) : Result<std::string>(document.error());
  if (!uid.ok()) {
    count(webhook, "malformed", began);
    co_return plain(400, uid.error().message());
  }
  const Verdict made = co_await verdict(*document, judge);
  count(webhook, name_of(made), began);
  co_return Response(
      200, {{"Content-Type", "application/json"}}, admission::review_answer(*uid, made));
}

net::Task<Verdict> PodWebhook::verdict(json::Node document, Judge judge) {
  const auto review = admission::read_review(document);
  if (!review.ok()) co_return denied(400, review.error().message());
  const auto ours = co_await in_scope(*review);
  if (!ours.ok()) {
    co_return denied(500,
                     fmt::format("cannot determine whether Slurm manages namespace {}: {}",
                                 review->ns,
                                 ours.error().to_string()));
  }
  if (!*ours) co_return Verdict();
  Verdict made = judge(*review, rules_);
  if (made.denial) {
    log_.info("denied a pod",
              {{"namespace", review->ns}, {"user", review->user}, {"why", made.denial->message}});
  }
  co_return made;
}

net::Task<Result<bool>> PodWebhook::in_scope(const Review& review) {
  if (review.operation == admission::Operation::other) co_return false;
  if (admission::names_our_scheduler(review, options_.scheduler_name)) co_return true;
  if (const auto known = admission::managed_by_name(options_.managed, review.ns)) co_return *known;
  CO_TRY(const auto labels, co_await namespaces_.of(review.ns, loop_.in(kLookUpWithin)));
  co_return admission::managed_by_labels(options_.managed, labels);
}

void PodWebhook::count(std::string_view webhook, std::string_view verdict, base::Instant began) {
  verdicts_.with({webhook, verdict}).add();
  const std::chrono::duration<double> took = loop_.now() - began;
  seconds_.with({webhook}).observe(took.count());
}

}  // namespace bridge
