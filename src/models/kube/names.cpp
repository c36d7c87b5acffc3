// SPDX-License-Identifier: Apache-2.0
#include "models/kube/names.h"

#include "base/ascii.h"
#include "models/kube/json.h"

#include <fmt/format.h>

#include <algorithm>

namespace models::kube {
namespace {

constexpr std::string_view kSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kLabel =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kNamePart =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "
    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_alnum(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z') || base::is_digit(c);
}

// Letters or digits at both ends, and those or one of `others` between.
bool is_word(std::string_view text, std::string_view others, bool lower_only) {
  const auto is_end = [&](char c) {
    return lower_only ? is_lower(c) || base::is_digit(c) : is_alnum(c);
  };
  return !text.empty() && is_end(text.front()) && is_end(text.back()) &&
         std::ranges::all_of(text, [&](char c) { return is_end(c) || others.contains(c); });
}

bool is_subdomain(std::string_view text) {
  if (!is_word(text, "-.", true)) return false;
  return !text.contains("..") && !text.contains(".-") && !text.contains("-.");
}

Cause invalid_value(std::string field, std::string_view value, std::string_view why) {
  return {std::move(field), fmt::format("Invalid value: \"{}\": {}", value, why)};
}

constexpr std::size_t kLongestPart = 63;
constexpr std::size_t kLongestName = 253;

void check_label_key(std::string_view key, std::vector<Cause>& causes) {
  const std::size_t slash = key.find('/');
  if (slash != std::string_view::npos && !is_subdomain(key.substr(0, slash))) {
    causes.push_back(
        invalid_value("metadata.labels", key, fmt::format("prefix part {}", kSubdomain)));
  }
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  if (!is_word(name, "-_.", false))
    causes.push_back(invalid_value("metadata.labels", key, kNamePart));
  if (name.size() > kLongestPart) {
    causes.push_back(
        invalid_value("metadata.labels", key, "name part must be no more than 63 characters"));
  }
}

}  // namespace

void check_name(const KubeResource& resource, std::string_view name, std::vector<Cause>& causes) {
  const bool is_label = resource.plural == "namespaces" || resource.plural == "services";
  const bool is_fine = is_label ? is_word(name, "-", true) : is_subdomain(name);
  if (!is_fine) {
    causes.push_back(invalid_value("metadata.name", name, is_label ? kLabel : kSubdomain));
  }
  const std::size_t most = is_label ? kLongestPart : kLongestName;
  if (name.size() > most) {
    causes.push_back(
        invalid_value("metadata.name", name, fmt::format("must be no more than {} bytes", most)));
  }
}

void check_labels(const json::Value& object, std::vector<Cause>& causes) {
  for (const json::Member& label : object_at(object, {"metadata", "labels"})) {
    check_label_key(label.key, causes);
    const std::string* value = label.value.as_string();
    if (value == nullptr || value->empty()) continue;
    if (!is_word(*value, "-_.", false)) {
      causes.push_back(invalid_value("metadata.labels", *value, kLabelValue));
    }
    if (value->size() > kLongestPart) {
      causes.push_back(invalid_value("metadata.labels", *value, "must be no more than 63 bytes"));
    }
  }
}

void check_finalizers(const json::Value& object, std::vector<Cause>& causes) {
  std::size_t index = 0;
  for (const json::Value& finalizer : array_at(object, {"metadata", "finalizers"})) {
    const std::string name = finalizer.as_string() == nullptr ? "" : *finalizer.as_string();
    const bool is_standard =
        name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
    if (!is_standard && !name.contains('/')) {
      causes.push_back(
          invalid_value(fmt::format("metadata.finalizers[{}]", index),
                        name,
                        "name is neither a standard finalizer name nor is it fully qualified"));
    }
    ++index;
  }
}

std::string generated_suffix(std::uint64_t number) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::uint64_t kAll = 27ULL * 27 * 27 * 27 * 27;
  constexpr std::uint64_t kStep = 8'675'309;  // coprime to kAll: no value repeats
  std::uint64_t rest = number * kStep % kAll;
  std::string suffix;
  for (int i = 0; i < 5; ++i) {
    suffix += kLetters[rest % kLetters.size()];
    rest /= kLetters.size();
  }
  return suffix;
}

std::string uid_of(std::uint64_t number) {
  return fmt::format("00000000-0000-4000-8000-{:012x}", number);
}

}  // namespace models::kube
