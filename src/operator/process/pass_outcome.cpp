// SPDX-License-Identifier: Apache-2.0
#include "operator/process/pass_outcome.h"

namespace slurmop::process {

bool is_rejection(const base::Error& error) {
  using base::Kind;
  switch (error.kind()) {
    case Kind::forbidden:
    case Kind::invalid:
    case Kind::refused:
    case Kind::not_found:
    case Kind::internal: return true;
    case Kind::cancelled:
    case Kind::unreachable:
    case Kind::lost:
    case Kind::unavailable:
    case Kind::conflict:
    case Kind::gone:
    case Kind::too_many:
    case Kind::unauthorized:
    case Kind::protocol: return false;
  }
  return false;
}

}  // namespace slurmop::process
