// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/slurm_programs.h"

#include "net/files/small_file.h"
#include "net/transport/deadline.h"
#include "operator/agent/check_output.h"
#include "operator/agent/durable_files.h"
#include "operator/agent/edited_conf.h"
#include "operator/agent/log_tail.h"
#include "operator/agent/readyz.h"
#include "operator/agent/running_program.h"
#include "operator/agent/throw_away_conf.h"
#include "operator/agent/user_folder.h"
#include "slurm/client/mint_token.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <utility>
#include <vector>

namespace slurmop::agent {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::Kind;
using base::Result;
using Outcome = Verdict::Outcome;

constexpr base::Duration kAnswerLimit = std::chrono::seconds(2);
constexpr std::chrono::seconds kTokenLifetime(300);
constexpr base::Duration kPoll = std::chrono::milliseconds(200);

// Below the folder of one check.
constexpr const char* kCandidate = "/candidate";  // the files as they are
constexpr const char* kDaemon = "/daemon";        // the files of the throw-away slurmctld
constexpr const char* kState = "/state";
constexpr const char* kRun = "/run";

Verdict unchecked(std::string message) {
  return {Outcome::unchecked, "not checked: " + std::move(message)};
}

Result<void> write_files(const Configuration& configuration, const std::string& folder) {
  TRY_VOID(make_folder(folder));
  for (const auto& [name, content] : configuration.files) {
    TRY_VOID(write_new_file(folder + "/" + name, content));
  }
  return {};
}

void remove_content(const std::string& folder) {
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
  }
}

// The program was killed from outside, or the shell could not start it: nothing is known about the
// configuration.
bool is_machine_status(int code) {
  return code == 128 + SIGKILL || code == 128 + SIGTERM || code == 126 || code == 127;
}

std::string not_in_time(std::string_view program, base::Duration limit) {
  return fmt::format("{} within {}", program, net::duration_text(limit));
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

// What a program printed, with the paths of the real files: a user must not see the folder of the
// check, whose name is different each time.
std::string printed(const std::string& log, const std::string& folder, const std::string& active) {
  std::string output = log_tail(log);
  for (const char* part : {kCandidate, kDaemon}) replace_all(output, folder + part, active);
  replace_all(output, folder, "");
  return output;
}

// For a command that changes slurmctld: a token of SlurmUser. The socket that authenticates commands
// with auth/slurm exists in the container of slurmctld only. Without a readable key the environment
// is unchanged, and the command uses AuthType.
std::vector<std::string> as_slurm_user(std::vector<std::string> environment,
                                       std::string_view conf,
                                       base::WallTime now) {
  const std::string file = jwt_key_file(conf);
  if (file.empty()) return environment;
  auto key = net::read_small_file(file);
  if (!key.ok() || key->empty()) return environment;
  const auto token =
      slurm::mint_token(base::Secret::consume(*key), slurm_user(conf), kTokenLifetime, now);
  return token.ok() ? with_token(std::move(environment), *token) : environment;
}

Verdict verdict_of_failure(int code,
                           const std::string& output,
                           const Configuration& configuration) {
  std::string message = explain(output, configuration);
  if (is_machine_status(code) || is_machine_failure(message)) return unchecked(std::move(message));
  return {Outcome::invalid, std::move(message)};
}

}  // namespace

Result<std::unique_ptr<SlurmPrograms>> SlurmPrograms::make(net::Loop& loop,
                                                           SlurmProgramsOptions options) {
  TRY(std::string folder, make_new_folder(options.work_folder + "/config-agent"));
  return std::unique_ptr<SlurmPrograms>(
      new SlurmPrograms(loop, std::move(options), std::move(folder)));
}

SlurmPrograms::SlurmPrograms(net::Loop& loop, SlurmProgramsOptions options, std::string folder)
    : loop_(loop), options_(std::move(options)), folder_(std::move(folder)) {}

SlurmPrograms::~SlurmPrograms() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

ProgramPlace SlurmPrograms::place(const std::string& folder,
                                  const std::string& log,
                                  base::Duration at_most) const {
  return {.conf = folder + "/" + std::string(kMainFile),
          .log = log,
          .environment = net::environment(),
          .at_most = at_most};
}

net::Task<Verdict> SlurmPrograms::check(Configuration configuration) {
  remove_content(folder_);  // a program of the last check may have written after its removal
  const auto folder = make_new_folder(folder_ + "/check");
  if (!folder.ok()) co_return unchecked(folder.error().message());
  Verdict verdict = co_await parse(configuration, *folder);
  if (verdict.outcome == Outcome::valid) {
    verdict = co_await start_slurmctld(configuration, *folder);
  }
  remove_content(folder_);
  co_return verdict;
}

net::Task<Verdict> SlurmPrograms::parse(const Configuration& configuration, std::string folder) {
  const std::string files = folder + kCandidate;
  if (const auto written = write_files(configuration, files); !written.ok()) {
    co_return unchecked(written.error().message());
  }
  const std::string log = folder + "/parser.log";
  net::Command command =
      parser_command(options_.programs, place(files, log, options_.parser_limit));
  const auto finished = co_await run_program(loop_, std::move(command));
  if (!finished.ok()) {
    co_return unchecked(finished.error().is(Kind::unavailable)
                            ? not_in_time("Slurm's parser did not end", options_.parser_limit)
                            : finished.error().message());
  }
  if (finished->code == 0) co_return Verdict{};
  const std::string output = printed(log, folder, options_.active_folder);
  co_return verdict_of_failure(finished->code, output, configuration);
}

// Returns the port.
Result<std::uint16_t> SlurmPrograms::write_throw_away(const Configuration& configuration,
                                                      const std::string& folder) {
  const std::string user = slurm_user(slurm_conf(configuration));
  for (const char* name : {kState, kRun}) {
    TRY_VOID(make_folder(folder + name));
    give_to_user(folder + name, user);
  }
  TRY(const std::uint16_t port, free_port(loop_));
  Configuration edited = configuration;
  edited.files[std::string(kMainFile)] =
      throw_away_conf(configuration,
                      {.host = options_.host,
                       .port = port,
                       .folder = folder + kDaemon,
                       .state = folder + kState,
                       .pid_file = folder + kRun + "/slurmctld.pid",
                       .active_folder = options_.active_folder});
  TRY_VOID(write_files(edited, folder + kDaemon));
  return port;
}

net::Task<Verdict> SlurmPrograms::start_slurmctld(const Configuration& configuration,
                                                  std::string folder) {
  const auto port = write_throw_away(configuration, folder);
  if (!port.ok()) co_return unchecked(port.error().message());
  const std::string log = folder + "/slurmctld.log";
  RunningProgram slurmctld(loop_);
  net::Command command =
      slurmctld_command(options_.programs, place(folder + kDaemon, log, options_.slurmctld_limit));
  if (const auto started = slurmctld.start(std::move(command)); !started.ok()) {
    co_return unchecked(started.error().message());
  }
  for (;;) {
    const auto ended = co_await slurmctld.wait_until(loop_.in(kPoll));
    if (!ended.ok()) co_return unchecked(ended.error().message());
    if (*ended) break;
    const Readiness readiness = co_await ask_readyz(loop_, *port, loop_.in(kAnswerLimit));
    if (readiness == Readiness::ready) co_return Verdict{};
  }
  const Result<net::Finished>& finished = *slurmctld.outcome();
  const std::string output = printed(log, folder, options_.active_folder);
  if (!finished.ok()) {
    co_return unchecked(
        fmt::format("{}: {}",
                    not_in_time("slurmctld was not ready", options_.slurmctld_limit),
                    explain(output, configuration)));
  }
  if (finished->code == 0) co_return unchecked("slurmctld ended before it was ready");
  co_return verdict_of_failure(finished->code, output, configuration);
}

net::Task<Readiness> SlurmPrograms::readiness(Configuration active) {
  return ask_readyz(loop_, slurmctld_port(slurm_conf(active)), loop_.in(kAnswerLimit));
}

net::Task<Result<void>> SlurmPrograms::reconfigure(Configuration active) {
  remove_content(folder_);
  CO_TRY(const std::string folder, make_new_folder(folder_ + "/client"));
  CO_TRY_VOID(write_new_file(folder + "/" + std::string(kMainFile),
                             local_client_conf(slurm_conf(active), options_.host)));
  const std::string log = folder + "/scontrol.log";
  ProgramPlace client = place(folder, log, options_.reconfigure_limit);
  client.environment =
      as_slurm_user(std::move(client.environment), slurm_conf(active), loop_.clock().wall());
  net::Command command = reconfigure_command(options_.programs, client);
  CO_TRY(const net::Finished finished, co_await run_program(loop_, std::move(command)));
  if (finished.code == 0) co_return Result<void>();
  co_return Error(Kind::unavailable,
                  fmt::format("scontrol reconfigure: {}", explain(log_tail(log), active)));
}

}  // namespace slurmop::agent
