// SPDX-License-Identifier: Apache-2.0
#include "kube/api/amounts.h"

#include <algorithm>

namespace kube::inline api {
namespace {

std::int64_t whole(std::string_view resource, const base::Quantity& quantity) {
  std::int64_t amount = quantity.value();
  if (resource == "cpu") amount = quantity.milli_value().ok() ? *quantity.milli_value() : amount;
  return std::clamp<std::int64_t>(amount, 0, Amounts::kMost);
}

// Sums may wrap around with thousands of impossible pods on one node, without undefined behaviour.
void move_by(std::int64_t& total, std::int64_t amount, std::int64_t sign) {
  const auto wide = static_cast<std::uint64_t>(total);
  const auto change = static_cast<std::uint64_t>(amount);
  total = static_cast<std::int64_t>(sign > 0 ? wide + change : wide - change);
}

constexpr auto kByName = [](const auto& entry, std::string_view name) {
  return entry.first < name;
};

}  // namespace

Amounts::Amounts(const ResourceList& list) {
  for (const auto& [name, quantity] : list) {
    const std::int64_t amount = whole(name, quantity);
    if (name == "cpu") {
      cpu_ = amount;
    } else if (name == "memory") {
      memory_ = amount;
    } else if (amount != 0) {
      others_.emplace_back(name, amount);  // the list is sorted by name
    }
  }
  others_.shrink_to_fit();
}

std::int64_t Amounts::operator[](std::string_view resource) const {
  if (resource == "cpu") return cpu_;
  if (resource == "memory") return memory_;
  const auto found = std::lower_bound(others_.begin(), others_.end(), resource, kByName);
  return found != others_.end() && found->first == resource ? found->second : 0;
}

void Amounts::change(const Amounts& other, std::int64_t sign) {
  move_by(cpu_, other.cpu_, sign);
  move_by(memory_, other.memory_, sign);
  for (const auto& [name, amount] : other.others_) {
    auto place = std::lower_bound(others_.begin(), others_.end(), name, kByName);
    if (place == others_.end() || place->first != name) place = others_.emplace(place, name, 0);
    move_by(place->second, amount, sign);
    if (place->second == 0) others_.erase(place);
  }
}

std::string amount_text(std::string_view resource, std::int64_t amount) {
  if (resource == "cpu") return base::Quantity::milli(amount).to_string();
  const bool bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  using Format = base::Quantity::Format;
  return base::Quantity::units(amount, bytes ? Format::binary_si : Format::decimal_si).to_string();
}

}  // namespace kube::inline api
