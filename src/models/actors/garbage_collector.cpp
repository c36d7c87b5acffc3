// SPDX-License-Identifier: Apache-2.0
#include "models/actors/garbage_collector.h"

#include "models/kube/json.h"

#include <algorithm>
#include <chrono>

namespace models::actors {
namespace {

using namespace std::chrono_literals;

bool concerns_garbage(const json::Value& object) {
  if (!kube::array_at(object, {"metadata", "ownerReferences"}).empty()) return true;
  const json::Array& finalizers = kube::array_at(object, {"metadata", "finalizers"});
  return std::ranges::any_of(finalizers, [](const json::Value& finalizer) {
    const std::string* text = finalizer.as_string();
    return text != nullptr && (*text == "orphan" || *text == "foregroundDeletion");
  });
}

}  // namespace

void GarbageCollector::look_at(const kube::ObjectWrite& write) {
  if (!has_work_) has_work_ = write.after != nullptr && concerns_garbage(*write.after);
  if (!has_work_ || due_) return;
  due_ = true;
  agenda_.in(some_time_(10ms, 2s), [this] { act(); });
}

// One change at a time, as the workers of the real collector do; its own write causes the next
// run.
void GarbageCollector::act() {
  due_ = false;
  (void)server_.collect_garbage();
}

}  // namespace models::actors
