// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

namespace base {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::cancelled: return "cancelled";
    case Kind::unreachable: return "unreachable";
    case Kind::lost: return "lost";
    case Kind::unavailable: return "unavailable";
    case Kind::not_found: return "not found";
    case Kind::conflict: return "conflict";
    case Kind::gone: return "gone";
    case Kind::too_many: return "too many requests";
    case Kind::unauthorized: return "unauthorized";
    case Kind::forbidden: return "forbidden";
    case Kind::invalid: return "invalid";
    case Kind::refused: return "refused";
    case Kind::protocol: return "protocol error";
    case Kind::internal: return "internal error";
  }
  return "unknown";
}

bool passes_by_itself(Kind kind) {
  switch (kind) {
    case Kind::unreachable:
    case Kind::lost:
    case Kind::unavailable:
    case Kind::too_many:
    case Kind::unauthorized:  // tokens rotate
    case Kind::protocol: return true;
    case Kind::cancelled:
    case Kind::not_found:
    case Kind::conflict:
    case Kind::gone:
    case Kind::forbidden:
    case Kind::invalid:
    case Kind::refused:
    case Kind::internal: return false;
  }
  return false;
}

Error Error::with_status(int status) && {
  status_ = status;
  return std::move(*this);
}

Error Error::with_code(int code) && {
  code_ = code;
  return std::move(*this);
}

Error Error::with_retry_after(std::chrono::milliseconds wait) && {
  retry_after_ = wait;
  return std::move(*this);
}

Error Error::in(std::string_view what) && {
  message_.insert(0, ": ").insert(0, what);
  return std::move(*this);
}

std::string Error::to_string() const {
  std::string text(name(kind_));
  text.append(": ").append(message_);
  return text;
}

}  // namespace base
