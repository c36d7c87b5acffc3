// SPDX-License-Identifier: Apache-2.0
#include "operator/agent/check_output.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "operator/agent/edited_conf.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <vector>

namespace slurmop::agent {
namespace {

constexpr std::size_t kMostProblems = 4;
constexpr std::string_view kUnrecognized = "Parsing error at unrecognized key: ";

// Never the reason: it adds nothing to the error before it, or slurmctld goes on after it.
constexpr std::string_view kIgnored[] = {
    "Unable to process configuration file",
    "Configured MailProg is invalid",
    "Job accounting information gathered, but not stored",
};

constexpr std::string_view kMachineFailures[] = {
    "Address already in use",
    "Cannot allocate memory",
    "No space left on device",
    "Too many open files",
};

std::string cleaned(std::string_view line) {
  std::string text = base::repair_utf8(std::string(line));
  std::ranges::replace_if(text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }, ' ');
  return text;
}

std::vector<std::string> lines_of(std::string_view output) {
  std::vector<std::string> lines;
  for (const auto part : output | std::views::split('\n')) {
    std::string line = cleaned(std::string_view(part.begin(), part.end()));
    if (line.find_first_not_of(' ') != std::string::npos) lines.push_back(std::move(line));
  }
  return lines;
}

// The text after "error: " or "fatal: "; nothing for other lines. Slurm writes the program or the
// time before it, and some messages have the name of a function: "_parse_next_key: ".
std::optional<std::string_view> problem_in(std::string_view line) {
  for (const std::string_view level : {"error: ", "fatal: "}) {
    const std::size_t at = line.find(level);
    if (at == std::string_view::npos) continue;
    std::string_view text = line.substr(at + level.size());
    const std::size_t colon = text.find(": ");
    if (text.starts_with('_') && colon < text.find(' ')) text.remove_prefix(colon + 2);
    return text;
  }
  return std::nullopt;
}

bool is_ignored(std::string_view problem) {
  return std::ranges::find(kIgnored, problem) != std::end(kIgnored);
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

struct ParseError {
  std::string_view file;
  std::string_view line;
  std::string_view text;
};

// `Parse error in file /a/slurm.conf line 49: "}"`
std::optional<ParseError> parse_error(std::string_view problem) {
  constexpr std::string_view kBegin = "Parse error in file ";
  constexpr std::string_view kLine = " line ";
  if (!problem.starts_with(kBegin)) return std::nullopt;
  problem.remove_prefix(kBegin.size());
  const std::size_t at = problem.find(kLine);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view file = base_name(problem.substr(0, at));
  problem.remove_prefix(at + kLine.size());
  const std::string_view number = base::take_digits(problem);
  if (number.empty() || !problem.starts_with(": ")) return std::nullopt;
  return ParseError{file, number, problem.substr(2)};
}

std::string_view leading_word(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || base::is_digit(c) || c == '_';
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// Adds the line if the message is about a key that slurm.conf has once.
std::string with_line(std::string_view problem, std::string_view conf) {
  std::string_view subject = problem;
  std::string text(problem);
  if (problem.starts_with(kUnrecognized)) {
    subject.remove_prefix(kUnrecognized.size());
    text = fmt::format("unrecognized key: {}", subject);
  }
  const std::size_t line = line_of(conf, leading_word(subject));
  return line == 0 ? text : fmt::format("{} line {}: {}", kMainFile, line, text);
}

// One text per problem. An unrecognized key inside a line is followed by the place of that line.
std::vector<std::string> problems_in(const std::vector<std::string>& lines, std::string_view conf) {
  std::vector<std::string> problems;
  std::string_view key;
  for (const std::string& line : lines) {
    const auto problem = problem_in(line);
    if (!problem || is_ignored(*problem)) continue;
    const auto place = parse_error(*problem);
    if (!place) {
      problems.push_back(with_line(*problem, conf));
    } else if (!key.empty()) {
      problems.back() =
          fmt::format("{} line {}: unrecognized key: {}", place->file, place->line, key);
    } else {
      problems.push_back(fmt::format("{} line {}: {}", place->file, place->line, place->text));
    }
    const bool names_key = problem->starts_with(kUnrecognized);
    key = names_key ? problem->substr(kUnrecognized.size()) : std::string_view();
  }
  return problems;
}

void keep_last(std::vector<std::string>& texts, std::size_t most) {
  if (texts.size() > most)
    texts.erase(texts.begin(), texts.end() - static_cast<std::ptrdiff_t>(most));
}

}  // namespace

std::string explain(std::string_view output, const Configuration& configuration) {
  std::vector<std::string> lines = lines_of(output);
  std::vector<std::string> texts = problems_in(lines, slurm_conf(configuration));
  if (texts.empty()) texts = std::move(lines);
  const auto repeated = std::ranges::unique(texts);
  texts.erase(repeated.begin(), repeated.end());
  keep_last(texts, kMostProblems);
  if (texts.empty()) return "it ended without a message";
  return std::string(base::utf8_front(fmt::format("{}", fmt::join(texts, "; ")), kLongestMessage));
}

bool is_machine_failure(std::string_view message) {
  return std::ranges::any_of(kMachineFailures,
                             [&](std::string_view text) { return message.contains(text); });
}

}  // namespace slurmop::agent
