// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/resource_list.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kube::inline api {

// Amounts of resources in the integers that Kubernetes' own scheduler uses: thousandths of CPUs,
// and units (bytes, devices) of everything else, rounded up. Small, and fast to add.
//
// Guarantees  adding and subtracting the same amounts restores the value exactly; no overflow: an
//             amount larger than any machine counts as kMost.
class Amounts {
 public:
  static constexpr std::int64_t kMost = std::int64_t{1} << 50;

  Amounts() = default;
  Amounts(const ResourceList& list);  // NOLINT: a conversion of units

  // 0 for a resource that is absent. "cpu" is in thousandths.
  std::int64_t operator[](std::string_view resource) const;
  void add(const Amounts& other) { change(other, 1); }
  void take_away(const Amounts& other) { change(other, -1); }
  bool is_zero() const { return cpu_ == 0 && memory_ == 0 && others_.empty(); }

  // Calls visit(name, amount) for each amount that is not 0: cpu, memory, then the others by name.
  template <class F>
  void each(F&& visit) const {
    if (cpu_ != 0) visit(std::string_view("cpu"), cpu_);
    if (memory_ != 0) visit(std::string_view("memory"), memory_);
    for (const auto& [name, amount] : others_) visit(std::string_view(name), amount);
  }

  friend bool operator==(const Amounts&, const Amounts&) = default;

 private:
  void change(const Amounts& other, std::int64_t sign);

  std::int64_t cpu_ = 0;
  std::int64_t memory_ = 0;
  std::vector<std::pair<std::string, std::int64_t>> others_;  // by name, none is 0
};

// Formats an amount as Kubernetes does: "1500m" of cpu, "4Gi" of memory, "3" of devices.
std::string amount_text(std::string_view resource, std::int64_t amount);

}  // namespace kube::inline api
