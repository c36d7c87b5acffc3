// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/metrics.h"

#include <string>

namespace telemetry {

// Appends a metric with all its series in Prometheus' text format; nothing if it has none.
//
// Guarantees  one line per series whatever help and values contain, escaped as the format wants it.
void print(std::string& out, const Family<Counter>& family);
void print(std::string& out, const Family<Gauge>& family);
void print(std::string& out, const Family<Histogram>& family);

}  // namespace telemetry
