// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/metrics.h"

#include <string>

namespace telemetry {

// Appends a metric with all its series in Prometheus' text format; nothing if it has no series.
//
// Guarantees  one line per series for any help and label values, escaped as the format requires.
void print(std::string& out, const Family<Counter>& family);
void print(std::string& out, const Family<Gauge>& family);
void print(std::string& out, const Family<Histogram>& family);

}  // namespace telemetry
