// SPDX-License-Identifier: Apache-2.0
// The model owns, merges and removes fields as a real API server did
// (tests/fixtures/kubernetes/apply.json).
#include "models/testing/transcript.h"

namespace models::kube {
namespace {

using namespace testing;

// The compared parts of an answer; null where a part is absent.
json::Value looked_at(const json::Value& step, const json::Value& answer) {
  json::Object shown;
  for (const json::Value& pointer : array_at(step, {"look"})) {
    const json::Value* place = json::find(answer, *json::parse_pointer(*pointer.as_string()));
    shown.set(*pointer.as_string(), place == nullptr ? json::Value() : *place);
  }
  return shown;
}

// The real server omits the time if an apply changed only owners.
json::Value without_times(json::Value shown) {
  json::Object* places = shown.as_object();
  json::Value* managers = places == nullptr ? nullptr : places->find("/metadata/managedFields");
  if (managers == nullptr || managers->as_array() == nullptr) return shown;
  for (json::Value& manager : *managers->as_array()) manager.as_object()->erase("time");
  return shown;
}

TEST(KubeServerConformance, AppliesAsARealServerDid) {
  const json::Value stories = transcript("apply.json");
  ASSERT_NE(stories.as_array(), nullptr);
  ASSERT_GT(stories.as_array()->size(), 8U);
  const base::VirtualClock clock;
  KubeServer server(clock);
  server.track_all_fields();
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
      const bool looks = step.find("look") != nullptr && outcome.status < 300;
      json::Value shown = looks ? looked_at(step, outcome.answer) : outcome.answer;
      if (json::Value* metadata = at(shown, {"metadata"}); metadata && metadata->as_object())
        metadata->as_object()->erase("managedFields");
      EXPECT_EQ(difference(without_times(*step.find("answer")), without_times(shown), kept), "")
          << what << "\n"
          << shown.dump();
    }
  }
}

}  // namespace
}  // namespace models::kube
