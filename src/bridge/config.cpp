// SPDX-License-Identifier: Apache-2.0
#include "bridge/config.h"

#include "base/nearest.h"
#include "base/quote.h"
#include "net/small_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>

namespace bridge {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr std::string_view kKeys[] = {"schedulerName",
                                      "slurmRestApi",
                                      "managedNamespaces",
                                      "managedNamespaceSelector",
                                      "mcsLabel",
                                      "partition"};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

Error at(const YAML::Mark& mark, std::string_view what) {
  return Error(Kind::invalid,
               fmt::format("line {}, column {}: {}", mark.line + 1, mark.column + 1, what));
}

Result<std::string> text(const std::string& key, const YAML::Node& value) {
  if (value.IsNull()) return std::string();
  if (!value.IsScalar()) return at(value.Mark(), key + " must be a text");
  return value.Scalar();
}

Result<std::vector<std::string>> texts(const std::string& key, const YAML::Node& value) {
  std::vector<std::string> list;
  if (value.IsNull()) return list;
  if (!value.IsSequence()) return at(value.Mark(), key + " must be a list of texts");
  for (const YAML::Node& element : value) {
    TRY(std::string one, text(key, element));
    list.push_back(std::move(one));
  }
  return list;
}

Result<void> take(Config& config, const std::string& key, const YAML::Node& value) {
  const std::string name = lower(key);
  if (name == "schedulername") {
    TRY(config.schedulerName, text(key, value));
  } else if (name == "slurmrestapi") {
    TRY(config.slurmRestApi, text(key, value));
  } else if (name == "managednamespaces") {
    TRY(config.managedNamespaces, texts(key, value));
  } else if (name == "mcslabel") {
    TRY(config.mcsLabel, text(key, value));
  } else if (name == "partition") {
    TRY(config.partition, text(key, value));
  } else if (name == "managednamespaceselector") {
    config.warnings.push_back(
        "managedNamespaceSelector is for the admission webhook, which this version does not have "
        "yet");
  } else {
    const auto close = base::nearest(key, kKeys);
    config.warnings.push_back(
        fmt::format("unknown key {}{}",
                    base::quoted(key),
                    close ? fmt::format("; did you mean {}?", *close) : std::string()));
  }
  return {};
}

}  // namespace

Result<Config> parse_config(const std::string& yaml) {
  YAML::Node root;
  try {
    root = YAML::Load(yaml);
  } catch (const YAML::Exception& e) {
    return at(e.mark, e.msg);
  }
  Config config;
  if (root.IsNull()) return config;
  if (!root.IsMap()) return at(root.Mark(), "the file must be a map of keys to values");
  for (const auto& entry : root) {
    if (!entry.first.IsScalar()) return at(entry.first.Mark(), "a key must be a text");
    TRY_VOID(take(config, entry.first.Scalar(), entry.second));
  }
  if (config.schedulerName.empty()) return Error(Kind::invalid, "schedulerName is empty");
  return config;
}

Result<Config> load_config(const std::string& path) {
  TRY(const std::string text_of_file, net::read_small_file(path));
  auto config = parse_config(text_of_file);
  if (!config.ok()) return std::move(config).error().in(path);
  return config;
}

}  // namespace bridge
