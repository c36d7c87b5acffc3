// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json/value.h"

#include <cstdint>
#include <string>

// Types of fields in the generated structs. The namespace of src/operator is `slurmop`, because
// `operator` is a keyword.
namespace slurmop::api {

// A number or a percentage of the workers: 500, "20%".
struct IntOrPercent {
  std::int64_t amount = 0;
  bool percent = false;

  // Returns the number of workers out of `total`. A percentage is rounded up, so that one of more
  // than zero allows progress.
  std::int64_t of(std::int64_t total) const {
    return percent ? (amount * total + 99) / 100 : amount;
  }
  friend bool operator==(const IntOrPercent&, const IntOrPercent&) = default;
};

// An object with a name and content that the operator passes on: an entry of volumeSources.
struct NamedObject {
  std::string name;
  json::Value content;  // without the name
};

}  // namespace slurmop::api
