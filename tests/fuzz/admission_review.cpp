// SPDX-License-Identifier: Apache-2.0
// Requests to the webhook: any body, with both rules, as received and as the API server would write
// it. The first letter selects whether our own user name is known.
#include "base/base64.h"
#include "bridge/admission/verdicts.h"
#include "fuzz/check.h"
#include "json/patch.h"

#include <array>

namespace {

using bridge::admission::Review;
using bridge::admission::Rules;
using bridge::admission::Verdict;
using fuzz::check;
using fuzz::check_message;
using std::string_view;

const std::array<Rules, 2> kRules = {
    Rules{"slurm-bridge-scheduler", bridge::admission::Users{"bridge"}, {}},
    Rules{"slurm-bridge-scheduler", std::nullopt, {}},
};

void check_line(string_view text) {
  check(!text.empty(), "a message is not empty");
  check(base::is_utf8(text), "a message is valid UTF-8");
  check(text.find('\n') == string_view::npos, "a message is one line");
}

void check_answer(string_view uid, const Verdict& verdict) {
  const auto answer = json::parse(bridge::admission::review_answer(uid, verdict));
  check(answer.ok(), "an answer is JSON");
  const json::Value* response = answer->find("response");
  check(response != nullptr, "with a response");
  check(*response->find("uid")->as_string() == uid, "that carries the uid");
  check(*response->find("allowed")->as_bool() == !verdict.denial, "and the verdict");
  if (verdict.denial) check_line(verdict.denial->message);
  for (const std::string& warning : verdict.warnings) check_line(warning);
}

void check_patch(const json::Node& object, const Verdict& verdict) {
  if (verdict.patch.empty()) return;
  const auto patched = json::json_patched(object.to_value(), verdict.patch);
  check(patched.ok(), "a patch fits its pod");
  json::Parser parser;
  const std::string text = patched->dump();
  const auto again = parser.parse(text);
  check(again.ok(), "what comes out is JSON");
}

void judge(string_view text, const Rules& rules) {
  json::Parser parser;
  const auto document = parser.parse(text);
  if (!document.ok()) return;
  const auto uid = bridge::admission::review_uid(*document);
  if (!uid.ok()) return check_message(uid.error());
  const auto review = bridge::admission::read_review(*document);
  if (!review.ok()) return check_message(review.error());
  const Verdict mutated = bridge::admission::mutate(*review, rules);
  check_answer(*uid, mutated);
  // The API server never sends a member twice, and only then the effect of a patch is defined.
  const std::string plain = document->to_value().dump();
  if (review->object && plain == text) check_patch(*review->object, mutated);
  const Verdict validated = bridge::admission::validate(*review, rules);
  check_answer(*uid, validated);
  check(validated.patch.empty(), "validating changes nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const Rules& rules = input.one_of(kRules);
  judge(input.rest(), rules);
  json::Parser parser;
  const auto document = parser.parse(input.rest());
  if (document.ok()) judge(document->to_value().dump(), rules);
  return 0;
}
