// SPDX-License-Identifier: Apache-2.0
#include "operator/conf/tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace slurmop::conf {
namespace {

std::string rendered(std::string_view text) {
  const auto line = read_line(text);
  if (!line.ok()) return "error: " + line.error().message();
  return *line ? (*line)->rendered() : "";
}

TEST(Tokens, a_line_is_read_as_slurm_reads_it) {
  EXPECT_EQ(rendered(""), "");
  EXPECT_EQ(rendered("  \t"), "");
  EXPECT_EQ(rendered("# only a comment"), "");
  EXPECT_EQ(rendered("KillWait=5"), "KillWait=5");
  EXPECT_EQ(rendered("  KillWait =\t5  # seconds"), "KillWait=5");
  EXPECT_EQ(rendered("PartitionName=a Nodes=ALL"), "PartitionName=a Nodes=ALL");
  EXPECT_EQ(rendered("MailProg=\"/bin/mail -s\" X=\"1\""), "MailProg=\"/bin/mail -s\" X=1");
  EXPECT_EQ(rendered("AuthAltParameters=jwt_key=/k"), "AuthAltParameters=jwt_key=/k");
}

TEST(Tokens, a_malformed_line_is_refused_with_its_reason) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  constexpr Row kRows[] = {
      {"}", "\"}\" is not Key=Value"},
      {"KillWait", "is not Key=Value"},
      {"KillWait=5 }", "\"}\" is not Key=Value"},
      {"=5", "is not a key"},
      {"KillWait=", "is empty"},
      {"KillWait=\"\"", "is empty"},
      {"KillWait+=5", "changes a value"},
      {"KillWait -= 5", "changes a value"},
      {"KillWait=5 \\", "backslash"},
      {"Licenses=\"a", "no closing double quote"},
      {"Licenses=\"a\"b", "continues after the closing double quote"},
      {"Licenses=a\"b", "double quote"},
      {"Include /etc/passwd", "another file"},
      {"include = x", "another file"},
      {"Licenses=a\x01", "control character"},
      {"Licenses=\"a # b\"", "no closing double quote"},  // Slurm ignores quotes here, too
      {"Licenses=a\nb", "line break"},
  };
  for (const Row& row : kRows) {
    EXPECT_NE(rendered(row.text).find(row.message), std::string::npos)
        << row.text << " -> " << rendered(row.text);
  }
}

}  // namespace
}  // namespace slurmop::conf
