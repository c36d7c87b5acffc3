// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/line.h"

namespace slurmop::conf {

std::string Line::rendered() const {
  std::string out;
  for (const Pair& pair : pairs_) {
    if (!out.empty()) out.push_back(' ');
    out.append(pair.key.text()).append("=").append(pair.value.rendered());
  }
  return out;
}

}  // namespace slurmop::conf
