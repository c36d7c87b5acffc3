// SPDX-License-Identifier: Apache-2.0
#include "telemetry/health.h"

#include <utility>

namespace telemetry {

void Health::add(std::string name, Check check) {
  checks_.push_back({std::move(name), std::move(check)});
}

void Health::remark(std::string name, Remark remark) {
  remarks_.push_back({std::move(name), std::move(remark)});
}

void Health::remove(const std::string& name) {
  std::erase_if(checks_, [&](const Named& one) { return one.name == name; });
  std::erase_if(remarks_, [&](const NamedRemark& one) { return one.name == name; });
}

std::vector<Health::Outcome> Health::readiness() const {
  std::vector<Outcome> outcomes;
  for (const Named& one : checks_) outcomes.push_back({one.name, one.check()});
  return outcomes;
}

std::vector<Health::Remarked> Health::remarks() const {
  std::vector<Remarked> all;
  for (const NamedRemark& one : remarks_) {
    if (std::string text = one.remark(); !text.empty()) all.push_back({one.name, std::move(text)});
  }
  return all;
}

}  // namespace telemetry
