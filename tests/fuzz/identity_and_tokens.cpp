// SPDX-License-Identifier: Apache-2.0
// Texts on jobs and pods, and credentials: admin_comment, annotations, JWT, token files, URLs.
#include "fuzz/check.h"
#include "net/transport/url.h"
#include "slurm/client/jwt.h"
#include "slurm/client/token.h"
#include "slurm/testing/hs256.h"
#include "workload/identity.h"
#include "workload/job_annotations.h"
#include "workload/wellknown.h"

#include <array>

namespace {

using fuzz::check;
using fuzz::check_message;
using std::string_view;

void identity(string_view text) {
  const auto pods = workload::read_reference_pods(text);
  const auto found = workload::read_identity(text);
  if (!found) return;
  check(pods.empty(), "a job is ours or the reference's, not both");
  check(!found->members.empty(), "an identity has members");
  const auto again = workload::read_identity(workload::admin_comment(*found));
  check(again && *again == *found, "a written identity reads as the same");
}

void annotations(string_view text) {
  std::map<std::string, std::string> all;
  const auto lines = fuzz::parts(text, '\n');
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    all[workload::kJobAnnotationPrefix + std::string(lines[i])] = lines[i + 1];
  }
  slurm::JobRequest request;
  const auto applied = workload::apply_job_annotations(all, request);
  if (!applied.ok()) {
    check_message(applied.error());
    check(slurm::submit_body(request) == slurm::submit_body({}), "nothing is applied then");
    return;
  }
  check(slurm::submit_body(request).find('\n') == std::string::npos, "a body is one line");
}

void jwt(string_view text) {
  const auto claims = slurm::claims(base::Secret(text));
  if (claims.ok()) return;
  check_message(claims.error());
  // Long enough to be distinguished from our own message texts: a token has no spaces.
  constexpr std::size_t kTelling = 12;
  if (text.size() < kTelling || text.find(' ') != string_view::npos) return;
  check(claims.error().message().find(text) == std::string::npos, "a message keeps the token");
}

void minted(string_view text) {
  const base::WallTime now{std::chrono::seconds(1'700'000'000)};
  const auto token = slurm::testing::mint(base::Secret("key"), text, std::chrono::hours(1), now);
  const auto claims = slurm::claims(*token);
  check(claims.ok(), "a minted token can be read");
  check(claims->user == base::repair_utf8(std::string(text)), "and is the user's");
  check(claims->expires == now + std::chrono::hours(1), "for its time");
}

void token_file(string_view text) {
  std::string file(text);
  const base::Secret token = slurm::token_in(file);
  check(text.find(token.reveal()) != string_view::npos, "a token is part of its file");
  check(file.find_first_not_of('\0') == std::string::npos, "the text is wiped");
}

void url(string_view text) {
  const auto read = net::parse_url(text);
  if (read.ok()) {
    const auto again = net::parse_url(read->to_string());
    check(again.ok() && again->to_string() == read->to_string(), "a written URL reads as the same");
    check(again->authority() == read->authority() && again->port == read->port, "and is the same");
  } else {
    check_message(read.error());
  }
  const std::string segment = net::encode_path_segment(text);
  check(segment.find_first_of("/?#& \r\n") == std::string::npos, "a value cannot leave its place");
  check(net::encode_query_value(text).find_first_of("&#= \r\n") == std::string::npos, "nor here");
}

constexpr std::array kReaders = {identity, annotations, jwt, minted, token_file, url};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto read = input.one_of(kReaders);
  read(input.rest());
  return 0;
}
