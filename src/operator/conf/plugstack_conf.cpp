// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/plugstack_conf.h"

#include "base/quote.h"
#include "operator/conf/key_spec.h"
#include "operator/conf/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slurmop::conf {
namespace {

using base::Error;
using base::Kind;
using base::Result;

Error invalid(std::string message) {
  return {Kind::invalid, std::move(message)};
}

Result<void> check_plugin_path(std::string_view path) {
  const bool is_name = !path.contains('/');
  const KeySpec spec{.name = "plugin", .form = is_name ? Form::name : Form::path};
  auto checked = check(spec, path);
  if (!checked.ok()) return std::move(checked).error().in("plugin");
  return {};
}

// An argument is one word: Slurm splits the line at blanks.
Result<void> check_word(std::string_view word) {
  auto value = Value::parse(word);
  if (!value.ok()) return std::move(value).error().in("argument");
  if (word.contains(' ') || word.contains('\'')) {
    return invalid(fmt::format("argument: {} has a blank or a quote", base::quoted(word)));
  }
  return {};
}

Result<std::string> rendered(const SpankPlugin& plugin) {
  TRY_VOID(check_plugin_path(plugin.path));
  std::string line = fmt::format("{} {}", plugin.required ? "required" : "optional", plugin.path);
  for (const std::string& word : plugin.words) {
    TRY_VOID(check_word(word));
    line.append(" ").append(word);
  }
  for (const auto& [name, value] : plugin.arguments) {
    if (name.empty() || name.contains('=')) {
      return invalid(fmt::format("argument: {} is not a name", base::quoted(name)));
    }
    const std::string word = fmt::format("{}={}", name, value);
    TRY_VOID(check_word(word));
    line.append(" ").append(word);
  }
  return line;
}

}  // namespace

Result<File> render_plugstack_conf(const PlugstackConf& input) {
  std::string text = "# Written by slurm-operator; change the SlurmCluster resource instead\n";
  for (const SpankPlugin& plugin : input.plugins) {
    auto line = rendered(plugin);
    if (!line.ok()) return std::move(line).error().in("plugstack.conf");
    text.append(*line).append("\n");
  }
  return File::plain("plugstack.conf", std::move(text));
}

}  // namespace slurmop::conf
