// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/slurmdbd_conf.h"

#include "operator/conf/key_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slurmop::conf {
namespace {

using base::Error;
using base::Kind;
using base::Result;

// Returns the password as Slurm's parser reads it back. Slurm removes a backslash before '#' and
// '\'; it cannot read a double quote at the beginning or beside a blank. The message is without the
// password on purpose.
Result<base::Secret> escaped(const base::Secret& password) {
  const std::string_view text = password.reveal();
  const auto refused = [](std::string_view problem) {
    return Error(Kind::invalid, fmt::format("the database password {}; change it", problem));
  };
  if (text.empty()) return refused("is empty");
  if (text.size() > 512) return refused("has more than 512 bytes");
  std::string out;
  out.reserve(2 * text.size() + 2);  // no reallocation: it would leave a copy behind
  const bool has_blank = text.contains(' ');
  if (has_blank) out.push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      base::wipe(out);
      return refused("has a line break or another control character");
    }
    if (c == '\\' || c == '#') out.push_back('\\');
    out.push_back(c);
  }
  if (has_blank) out.push_back('"');
  base::Secret secret = base::Secret::consume(out);
  if (text.contains('"') && (has_blank || text.starts_with('"'))) {
    return refused("has a double quote at its beginning or beside a blank");
  }
  return secret;
}

Result<File> with_password(const std::string& text, const StoredPassword& stored) {
  TRY(const base::Secret password, escaped(stored.password));
  std::string content;
  content.reserve(text.size() + password.reveal().size() + 32);
  content.append(text).append("StoragePass=").append(password.reveal()).append("\n");
  return File::secret("slurmdbd.conf",
                      base::Secret::consume(content),
                      text + "StoragePass=[secret]\n",
                      stored.version);
}

std::string checked_path(Draft& draft, std::string_view what, const std::string& path) {
  const KeySpec spec{.name = what, .form = Form::path};
  auto checked = check(spec, path);
  if (!checked.ok()) draft.fail(std::move(checked).error().in(what));
  return path;
}

}  // namespace

Result<File> render_slurmdbd_conf(const SlurmdbdConf& input) {
  Draft draft(slurmdbd_keys());
  draft.use(input.settings);
  draft.comment("Written by slurm-operator; change the SlurmCluster resource instead");
  draft.set("DbdHost", input.host);
  draft.set("DbdPort", input.port);
  draft.set("SlurmUser", input.slurm_user);
  draft.set("AuthType", input.auth == AuthMode::munge ? "auth/munge" : "auth/slurm");
  if (input.auth == AuthMode::munge && !input.munge_socket.empty()) {
    draft.set("AuthInfo", "socket=" + checked_path(draft, "munge socket", input.munge_socket));
  }
  draft.set("AuthAltTypes", "auth/jwt");
  draft.set("AuthAltParameters", "jwt_key=" + checked_path(draft, "JWT key", input.jwt_key));
  draft.set("PidFile", input.pid_file);
  draft.set("DebugLevel", "info");
  draft.rest_of_settings();
  draft.comment("Database");
  draft.set("StorageType", "accounting_storage/mysql");
  draft.set("StorageHost", input.database.host);
  draft.set("StoragePort", input.database.port);
  draft.set("StorageUser", input.database.user);
  draft.set("StorageLoc", input.database.name);
  if (const auto* program = std::get_if<PasswordProgram>(&input.database.password)) {
    draft.set("StoragePassScript", program->path);
  }
  const auto* stored = std::get_if<StoredPassword>(&input.database.password);
  if (stored == nullptr) return draft.finish("slurmdbd.conf");
  auto text = draft.text();
  if (!text.ok()) return std::move(text).error().in("slurmdbd.conf");
  auto file = with_password(*text, *stored);
  if (!file.ok()) return std::move(file).error().in("slurmdbd.conf");
  return file;
}

}  // namespace slurmop::conf
