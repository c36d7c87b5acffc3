// SPDX-License-Identifier: Apache-2.0
#include "models/kube/list_options.h"

#include "base/base64.h"
#include "base/integer.h"
#include "json/node.h"
#include "models/kube/json.h"

#include <fmt/format.h>

#include <utility>

namespace models::kube {
namespace {

constexpr std::string_view kForbidden = "FieldValueForbidden";

Refusal forbidden(std::string_view field, std::string_view why) {
  return invalid_options("ListOptions",
                         {{std::string(field), fmt::format("Forbidden: {}", why), kForbidden}});
}

Refused read_token(std::string_view token, ListOptions& options) {
  const auto text = base::decode_base64(token, base::Base64::url_unpadded);
  const auto value = text.ok() ? json::parse(*text) : base::Result<json::Value>(text.error());
  const json::Value* version = value.ok() ? value->find("rv") : nullptr;
  if (version == nullptr || version->as_int() == nullptr) {
    return bad_request("invalid continue token: continue key is not valid");
  }
  options.version = static_cast<std::uint64_t>(*version->as_int());
  options.after = text_at(*value, {"start"});
  return std::nullopt;
}

Refused check_match(std::string_view match, std::string_view version) {
  if (match.empty()) return std::nullopt;
  if (version.empty()) {
    return forbidden("resourceVersionMatch",
                     "resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (match == "Exact" && version == "0") {
    return forbidden("resourceVersionMatch",
                     "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  if (match != "Exact" && match != "NotOlderThan") {
    return invalid_options("ListOptions",
                           {{"resourceVersionMatch",
                             fmt::format("Unsupported value: \"{}\": supported values: \"Exact\", "
                                         "\"NotOlderThan\"",
                                         match),
                             "FieldValueNotSupported"}});
  }
  return std::nullopt;
}

}  // namespace

Refusal version_too_large(std::uint64_t wanted, std::uint64_t now) {
  Refusal refusal{504,
                  "Timeout",
                  fmt::format("Timeout: Too large resource version: {}, current: {}", wanted, now),
                  {},
                  {}};
  refusal.details.set("causes",
                      json::Array{json::Object{{"reason", "ResourceVersionTooLarge"},
                                               {"message", "Too large resource version"}}});
  refusal.details.set("retryAfterSeconds", 1);
  return refusal;
}

std::string continue_token(std::uint64_t version, std::string_view after) {
  const json::Value token =
      json::Object{{"v", "meta.k8s.io/v1"}, {"rv", version}, {"start", after}};
  return base::encode_base64(token.dump(), base::Base64::url_unpadded);
}

Refused read_list_options(const KubeTarget& target, std::uint64_t now, ListOptions& options) {
  const Query& query = target.query;
  options.version = now;
  if (query.has("limit")) {
    const auto limit = base::parse_integer<std::int64_t>(query.get("limit"));
    if (!limit.ok()) {
      return bad_request(
          fmt::format("strconv.ParseInt: parsing \"{}\": invalid syntax", query.get("limit")));
    }
    options.limit = static_cast<std::size_t>(std::max<std::int64_t>(*limit, 0));
  }
  if (query.has("sendInitialEvents")) {
    return forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
  }
  const std::string_view version = query.get("resourceVersion");
  const std::string_view match = query.get("resourceVersionMatch");
  if (const std::string_view token = query.get("continue"); !token.empty()) {
    if (!version.empty() && version != "0") {
      return bad_request("specifying resource version is not allowed when using continue");
    }
    return read_token(token, options);
  }
  if (Refused refused = check_match(match, version)) return refused;
  if (version.empty()) return std::nullopt;
  const auto number = base::parse_integer<std::uint64_t>(version);
  if (!number.ok()) {
    return bad_request(
        fmt::format("invalid resource version: resourceVersion: Invalid value: "
                    "\"{0}\": strconv.ParseUint: parsing \"{0}\": invalid syntax",
                    version));
  }
  if (*number == 0) options.limit = 0;  // served from the cache, without pages
  if (*number > now) return version_too_large(*number, now);
  const bool is_exact = match == "Exact" || (match.empty() && options.limit > 0 && *number > 0);
  if (is_exact) options.version = *number;
  return std::nullopt;
}

Refused check_watch_options(const Query& query) {
  const std::string_view match = query.get("resourceVersionMatch");
  if (!query.has("sendInitialEvents")) {
    if (match.empty()) return std::nullopt;
    return forbidden("resourceVersionMatch",
                     "resourceVersionMatch is forbidden for watch unless sendInitialEvents is "
                     "provided");
  }
  if (match == "NotOlderThan") return std::nullopt;
  std::vector<Cause> causes{
      {"resourceVersionMatch",
       "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
       kForbidden}};
  if (!match.empty()) {
    causes.push_back(
        {"resourceVersionMatch",
         fmt::format("Unsupported value: \"{}\": supported values: \"NotOlderThan\"", match),
         "FieldValueNotSupported"});
  }
  return invalid_options("ListOptions", std::move(causes));
}

}  // namespace models::kube
