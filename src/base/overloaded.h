// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace base {

// The visitor of a variant from one lambda per alternative. An alternative without a lambda does not
// compile; do not give it a generic lambda, which would take new alternatives silently.
//
//   std::visit(base::Overloaded{[](const Drain& d) { ... }, [](const Undrain&) { ... }}, step);
template <class... Lambdas>
struct Overloaded : Lambdas... {
  using Lambdas::operator()...;
};

}  // namespace base
