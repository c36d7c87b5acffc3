// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/kube/selector.h"

namespace models::kube {

// Parser of a label selector with one token of lookahead.
class LabelParser {
 public:
  explicit LabelParser(std::string_view text) : rest_(text) { advance(); }

  base::Result<std::vector<Selector::Requirement>> parse();

 private:
  using Operator = Selector::Operator;
  using Requirement = Selector::Requirement;

  // A word, one of the operators ( ) , ! = == != < >, or empty at the end.
  void advance();
  bool at_end() const { return token_.empty(); }
  bool at_sign() const;
  bool take(std::string_view sign);

  base::Result<Requirement> requirement();
  base::Result<Requirement> comparison(std::string key);
  base::Result<std::vector<std::string>> set_of_values();
  base::Error found(std::string_view expected, bool inside = true) const;

  std::string_view rest_;
  std::string_view token_;
};

}  // namespace models::kube
