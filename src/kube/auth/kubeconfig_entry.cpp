// SPDX-License-Identifier: Apache-2.0
#include "kube/auth/kubeconfig_entry.h"

#include "base/base64.h"
#include "net/files/small_file.h"

#include <fmt/format.h>

namespace kube::inline auth {

using base::Error;
using base::Kind;
using base::Result;

Result<KubeconfigEntry> KubeconfigEntry::make(std::string file,
                                              std::string place,
                                              const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) {
    return KubeconfigEntry(std::move(file), std::move(place), YAML::Node(YAML::NodeType::Map));
  }
  if (!node.IsMap()) {
    return Error(Kind::invalid, fmt::format("{}: {}: not a map; write name: value", file, place));
  }
  return KubeconfigEntry(std::move(file), std::move(place), node);
}

Error KubeconfigEntry::wrong(const std::string& field, std::string_view what) const {
  return Error(
      Kind::invalid,
      fmt::format("{}: {}{}{}: {}", file_, place_, place_.empty() ? "" : ".", field, what));
}

bool KubeconfigEntry::has(const std::string& field) const {
  const YAML::Node value = node_[field];
  return value.IsDefined() && !value.IsNull();
}

Result<void> KubeconfigEntry::must_be_absent(const std::string& field, std::string_view why) const {
  if (has(field)) return wrong(field, why);
  return {};
}

Result<std::string> KubeconfigEntry::text(const std::string& field) const {
  if (!has(field)) return std::string();
  const YAML::Node value = node_[field];
  if (!value.IsScalar()) return wrong(field, "not a text; write one value");
  return value.Scalar();
}

Result<bool> KubeconfigEntry::flag(const std::string& field) const {
  TRY(const std::string value, text(field));
  if (value == "true") return true;
  if (value.empty() || value == "false") return false;
  return wrong(field, "neither true nor false; write one of them");
}

std::string KubeconfigEntry::beside(const std::string& path) const {
  if (path.empty() || path.front() == '/') return path;
  const auto slash = file_.rfind('/');
  return slash == std::string::npos ? "./" + path : file_.substr(0, slash + 1) + path;
}

Result<std::string> KubeconfigEntry::path(const std::string& field) const {
  TRY(const std::string named, text(field));
  return beside(named);
}

Result<std::string> KubeconfigEntry::pem(const std::string& field) const {
  TRY(const std::string data, text(field + "-data"));
  if (!data.empty()) {
    auto decoded = base::decode_base64(data);
    if (decoded.ok()) return decoded;
    return wrong(field + "-data",
                 decoded.error().message() + "; write the PEM text in base64, in one line");
  }
  TRY(const std::string file, path(field));
  if (file.empty()) return std::string();
  auto content = net::read_small_file(file);
  if (!content.ok()) return wrong(field, content.error().message() + "; correct the path");
  return content;
}

Result<KubeconfigEntry> KubeconfigEntry::map(const std::string& field) const {
  return make(file_, place_ + "." + field, node_[field]);
}

Result<std::vector<YAML::Node>> KubeconfigEntry::list(const std::string& field) const {
  std::vector<YAML::Node> items;
  if (!has(field)) return items;
  const YAML::Node value = node_[field];
  if (!value.IsSequence()) return wrong(field, "not a list; write one - per item");
  for (const YAML::Node& item : value) items.push_back(item);
  return items;
}

}  // namespace kube::inline auth
