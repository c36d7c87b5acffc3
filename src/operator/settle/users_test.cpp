// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/users.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slurmop::settle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using Uids = std::map<std::string, std::uint32_t>;

struct Outcome {
  std::vector<std::string> users;  // "alice 10000"
  Uids uids;
  std::vector<std::string> errors;
};

api::LoginUser user(std::string name, std::optional<std::int64_t> uid = {}) {
  return {.name = std::move(name), .uid = uid, .sshPublicKeys = {}};
}

Outcome assigned(std::vector<api::LoginUser> users, const Uids& recorded = {}) {
  api::SlurmClusterSpec spec;
  spec.users = std::move(users);
  api::Findings findings;
  Accounts accounts = accounts_of(spec, recorded, findings);
  Outcome out{.users = {}, .uids = accounts.uids, .errors = {}};
  for (const User& one : accounts.users) {
    out.users.push_back(one.name + " " + std::to_string(one.uid));
  }
  for (const api::FieldError& error : findings.errors) out.errors.push_back(error.to_string());
  return out;
}

TEST(Users, the_own_account_always_exists) {
  const Outcome out = assigned({});
  EXPECT_THAT(out.users, ElementsAre("soperator 1000"));
  EXPECT_THAT(out.uids, ElementsAre(Pair("soperator", 1000)));
}

TEST(Users, a_user_without_a_uid_gets_the_next_one) {
  EXPECT_THAT(assigned({user("bob"), user("alice")}).users,
              ElementsAre("soperator 1000", "bob 10000", "alice 10001"));
}

TEST(Users, a_recorded_uid_is_kept_and_never_given_to_another_user) {
  const Uids recorded = {{"alice", 10001}, {"gone", 10000}};
  const Outcome out = assigned({user("carol"), user("alice")}, recorded);
  EXPECT_THAT(out.users, ElementsAre("soperator 1000", "alice 10001", "carol 10002"));
  EXPECT_EQ(out.uids.at("gone"), 10000U);
  EXPECT_THAT(assigned({user("gone")}, out.uids).users,
              ElementsAre("soperator 1000", "gone 10000"));
}

TEST(Users, a_uid_of_the_spec_is_not_assigned_to_a_user_before_it) {
  EXPECT_THAT(assigned({user("alice"), user("bob", 10000)}).users,
              ElementsAre("soperator 1000", "bob 10000", "alice 10001"));
}

TEST(Users, a_uid_that_is_changed_in_the_spec_stays_reserved) {
  const Outcome changed = assigned({user("alice", 2000)}, {{"alice", 10000}});
  EXPECT_THAT(changed.users, ElementsAre("soperator 1000", "alice 2000"));
  EXPECT_THAT(changed.uids,
              UnorderedElementsAre(
                  Pair("soperator", 1000), Pair("alice", 2000), Pair("alice.10000", 10000)));
  EXPECT_THAT(assigned({user("alice"), user("bob")}, changed.uids).users,
              ElementsAre("soperator 1000", "alice 2000", "bob 10001"));
  EXPECT_THAT(assigned({user("alice", 10000)}, changed.uids).errors, IsEmpty());
}

TEST(Users, a_renamed_user_may_keep_the_uid) {
  const Outcome out = assigned({user("robert", 10000)}, {{"bob", 10000}});
  EXPECT_THAT(out.errors, IsEmpty());
  EXPECT_THAT(out.users, ElementsAre("soperator 1000", "robert 10000"));
}

TEST(Users, a_conflict_is_an_error_with_a_remedy) {
  EXPECT_THAT(
      assigned({user("alice", 1000)}).errors,
      ElementsAre("spec.users[0].uid: 1000 is also the uid of \"soperator\"; choose another "
                  "one"));
  EXPECT_THAT(assigned({user("robert", 10000), user("bob")}, {{"bob", 10000}}).errors,
              ElementsAre(HasSubstr("spec.users[1].uid: 10000 is also the uid of \"robert\"")));
  EXPECT_THAT(assigned({user("soperator", 1001)}).errors,
              ElementsAre("spec.users[0].uid: soperator has the uid 1000; remove the field"));
  EXPECT_THAT(assigned({user("soperator", 1000)}).errors, IsEmpty());
}

TEST(Users, uids_of_system_accounts_are_refused) {
  for (const std::uint32_t uid : {0U, 999U, 64030U, 64039U, 65534U}) {
    EXPECT_THAT(assigned({user("alice", uid)}).errors,
                ElementsAre(HasSubstr("is reserved for system accounts; choose a uid from 1000")))
        << uid;
    EXPECT_THAT(assigned({user("alice")}, {{"alice", uid}}).errors,
                ElementsAre(HasSubstr("is reserved for system accounts")));
  }
  for (const std::uint32_t uid : {1001U, 64029U, 64040U, 65533U}) {
    EXPECT_THAT(assigned({user("alice", uid)}).errors, IsEmpty()) << uid;
  }
}

TEST(Users, assigned_uids_skip_those_of_system_accounts) {
  Uids recorded;
  for (std::uint32_t uid = 10000; uid < 64030; ++uid) {
    recorded.emplace("u" + std::to_string(uid), uid);
  }
  EXPECT_THAT(assigned({user("alice")}, recorded).users,
              ElementsAre("soperator 1000", "alice 64040"));
}

TEST(Users, keys_for_root_are_those_of_the_own_account) {
  api::SlurmClusterSpec spec;
  spec.users = {{.name = "soperator", .uid = {}, .sshPublicKeys = {"ssh-ed25519 A"}}};
  spec.slurmNodes.login.sshRootPublicKeys = {"ssh-ed25519 B", "ssh-ed25519 A"};
  api::Findings findings;
  EXPECT_THAT(accounts_of(spec, {}, findings).users.at(0).public_keys,
              ElementsAre("ssh-ed25519 A", "ssh-ed25519 B"));
}

TEST(Uids, are_read_as_they_are_written) {
  const Uids uids = {{"alice", 10000}, {"bob.7", 7}, {"z", 4294967295}};
  EXPECT_EQ(write_uids(uids), "alice 10000\nbob.7 7\nz 4294967295\n");
  EXPECT_EQ(read_uids(write_uids(uids)), uids);
}

TEST(Uids, invalid_lines_are_ignored) {
  EXPECT_THAT(read_uids("alice 1\n\nbob\n carol 2\ndave x\neve -1\nfay +1\ngil 4294967296\n"
                        "hal 3 4\nalice 9\nivy 5"),
              ElementsAre(Pair("alice", 1), Pair("ivy", 5)));
  EXPECT_THAT(read_uids(""), IsEmpty());
}

}  // namespace
}  // namespace slurmop::settle
