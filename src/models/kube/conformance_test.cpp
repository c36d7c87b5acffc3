// SPDX-License-Identifier: Apache-2.0
// The model answers as a real API server did: replays tests/fixtures/kubernetes/transcript.json,
// which was recorded from one.
#include "models/testing/transcript.h"

namespace models::kube {
namespace {

using namespace testing;

// The recording does not contain these members.
json::Value without_managers(json::Value answer) {
  if (json::Value* metadata = at(answer, {"metadata"}); metadata && metadata->as_object())
    metadata->as_object()->erase("managedFields");
  return answer;
}

TEST(KubeServerConformance, AnswersAsARealServerDid) {
  const json::Value stories = transcript("transcript.json");
  ASSERT_NE(stories.as_array(), nullptr);
  ASSERT_GT(stories.as_array()->size(), 20U);
  const base::VirtualClock clock;
  KubeServer server(clock);
  for (const json::Value& story : *stories.as_array()) {
    SCOPED_TRACE(text_at(story, {"name"}));
    Kept kept;
    for (const json::Value& step : array_at(story, {"steps"})) {
      need_namespace(server, text_at(step, {"at"}));
      const Outcome outcome = play(server, step, kept);
      keep(step, outcome.answer, kept);
      const std::string what = described(step);
      EXPECT_EQ(outcome.status, *step.find("status")->as_int()) << what << "\n"
                                                                << outcome.answer.dump();
      const json::Value& recorded = *step.find("answer");
      if (recorded.as_string() != nullptr) continue;  // not an answer of Kubernetes itself
      EXPECT_EQ(
          difference(without_spec_of_bookmarks(recorded), without_managers(outcome.answer), kept),
          "")
          << what;
    }
  }
}

}  // namespace
}  // namespace models::kube
