// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace base {

// A visitor of a variant, made of one lambda per alternative. An alternative without a lambda does
// not compile. Do not pass a generic lambda: it would silently accept new alternatives.
//
//   std::visit(base::Overloaded{[](const Drain& d) { ... }, [](const Undrain&) { ... }}, step);
template <class... Lambdas>
struct Overloaded : Lambdas... {
  using Lambdas::operator()...;
};

}  // namespace base
