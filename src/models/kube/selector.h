// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "models/kube/resource.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace models::kube {

// Selects objects of a collection by labels and by fields.
//
// Guarantees  the syntax and the error messages are those of the API server (=, ==, !=, in, notin,
//             exists, !exists, >, <; for fields =, ==, !=).
class Selector {
 public:
  // Kind::invalid with the server's message.
  static base::Result<Selector> parse(std::string_view labels,
                                      std::string_view fields,
                                      const KubeResource& resource);

  bool matches(const json::Value& object) const;
  bool selects_all() const { return labels_.empty() && fields_.empty(); }

 private:
  enum class Operator : std::uint8_t { in, not_in, exists, absent, greater, less };
  struct Requirement {
    std::string key;
    Operator op = Operator::exists;
    std::vector<std::string> values = {};

    bool matches(const std::string* label) const;
  };
  struct FieldTerm {
    std::vector<std::string> way;
    std::string value;
    bool equal = true;

    bool matches(const json::Value& object) const;
  };
  friend class LabelParser;

  std::vector<Requirement> labels_;
  std::vector<FieldTerm> fields_;
};

}  // namespace models::kube
