// SPDX-License-Identifier: Apache-2.0
#pragma once

// For headers that only refer to the loop.
namespace net::inline async {

class Loop;

}  // namespace net::inline async
