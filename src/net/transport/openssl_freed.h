// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace net::inline transport {

// Deleter for a unique_ptr that owns an OpenSSL object: Freed<X509_free>.
template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

}  // namespace net::inline transport
