// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/refusal.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Validation of names, labels and finalizers, with the API server's messages.
namespace models::kube {

// Appends the problems to `causes`.
void check_name(const KubeResource& resource, std::string_view name, std::vector<Cause>& causes);
void check_labels(const json::Value& object, std::vector<Cause>& causes);
void check_finalizers(const json::Value& object, std::vector<Cause>& causes);

// The suffix for a generateName: five characters that differ for each number.
std::string generated_suffix(std::uint64_t number);
// A uid in the usual format that differs for each number.
std::string uid_of(std::uint64_t number);

}  // namespace models::kube
