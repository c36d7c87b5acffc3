// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace net::inline transport {

// For a unique_ptr that owns an object of OpenSSL's: Freed<X509_free>.
template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

}  // namespace net::inline transport
