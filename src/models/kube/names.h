// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/refusal.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What names, labels and finalizers may look like, and what the API server says if they do not.
namespace models::kube {

// Appends what is wrong to `causes`.
void check_name(const KubeResource& resource, std::string_view name, std::vector<Cause>& causes);
void check_labels(const json::Value& object, std::vector<Cause>& causes);
void check_finalizers(const json::Value& object, std::vector<Cause>& causes);

// What follows a generateName: five characters that differ for each number.
std::string generated_suffix(std::uint64_t number);
// A uid that differs for each number and looks like one.
std::string uid_of(std::uint64_t number);

}  // namespace models::kube
