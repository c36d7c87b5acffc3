// SPDX-License-Identifier: Apache-2.0
#include "base/flags.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

namespace base {
namespace {

using namespace std::chrono_literals;
using Arguments = std::vector<std::string_view>;

class FlagsTest : public testing::Test {
 protected:
  FlagsTest() {
    flags_.add("config", &config_, "where the configuration is");
    flags_.add("leader-elect", &leader_elect_, "run only while holding the lease");
    flags_.add("taint", &taint_, "taint the nodes");
    flags_.add("pod-workers", &workers_, "pods looked at together");
    flags_.add("interval", &interval_, "time between two looks");
    flags_.add("namespace", &namespaces_, "managed namespace");
    flags_.ignore("feature-gates", Flags::Takes::value, "there are no feature gates here");
    flags_.ignore("zap-devel", Flags::Takes::nothing, "the log is always structured");
  }

  std::string refusal(const Arguments& arguments) {
    const Result<Flags::Outcome> outcome = flags_.parse(arguments);
    return outcome.ok() ? "accepted" : outcome.error().message();
  }

  std::string config_ = "/etc/config.yaml";
  bool leader_elect_ = false;
  bool taint_ = true;
  int workers_ = 1;
  Duration interval_ = 15s;
  std::vector<std::string> namespaces_;
  Flags flags_{"slurm-bridge controllers", "Keeps pods and Slurm jobs in step."};
};

TEST_F(FlagsTest, every_form_of_a_value_is_accepted) {
  for (const Arguments& arguments : {Arguments{"-config", "x"},
                                     Arguments{"--config", "x"},
                                     Arguments{"-config=x"},
                                     Arguments{"--config=x"}}) {
    config_.clear();
    ASSERT_TRUE(flags_.parse(arguments).ok());
    EXPECT_EQ(config_, "x");
  }
}

TEST_F(FlagsTest, a_value_may_contain_anything) {
  ASSERT_TRUE(flags_.parse(Arguments{"--config="}).ok());
  EXPECT_EQ(config_, "");
  ASSERT_TRUE(flags_.parse(Arguments{"--config=a=b"}).ok());
  EXPECT_EQ(config_, "a=b");
  ASSERT_TRUE(flags_.parse(Arguments{"-config", "--leader-elect"}).ok());
  EXPECT_EQ(config_, "--leader-elect");
  EXPECT_FALSE(leader_elect_);
}

TEST_F(FlagsTest, a_switch_is_on_when_named_and_takes_a_value_with_equals) {
  ASSERT_TRUE(flags_.parse(Arguments{"-leader-elect", "--taint=false"}).ok());
  EXPECT_TRUE(leader_elect_);
  EXPECT_FALSE(taint_);
  ASSERT_TRUE(flags_.parse(Arguments{"--leader-elect=0", "--taint=T"}).ok());
  EXPECT_FALSE(leader_elect_);
  EXPECT_TRUE(taint_);
}

TEST_F(FlagsTest, values_have_types) {
  ASSERT_TRUE(flags_.parse(Arguments{"--pod-workers", "8", "--interval=1m30s"}).ok());
  EXPECT_EQ(workers_, 8);
  EXPECT_EQ(interval_, 90s);
}

TEST_F(FlagsTest, the_last_value_is_used_and_lists_collect) {
  ASSERT_TRUE(
      flags_.parse(Arguments{"--config=a", "--config=b", "--namespace=x", "-namespace", "y"}).ok());
  EXPECT_EQ(config_, "b");
  EXPECT_EQ(namespaces_, (std::vector<std::string>{"x", "y"}));
}

TEST_F(FlagsTest, without_flags_the_defaults_remain) {
  ASSERT_TRUE(flags_.parse(Arguments{}).ok());
  EXPECT_EQ(config_, "/etc/config.yaml");
  EXPECT_EQ(workers_, 1);
}

TEST_F(FlagsTest, an_error_names_the_flag_and_the_fix) {
  EXPECT_EQ(refusal({"--confg=x"}), "unknown flag \"confg\"; did you mean --config?");
  EXPECT_EQ(refusal({"-Leader_Elect"}),
            "unknown flag \"Leader_Elect\"; did you mean --leader-elect?");
  EXPECT_EQ(refusal({"--kubelet"}), "unknown flag \"kubelet\"; --help lists the flags that exist");
  EXPECT_EQ(refusal({"--config"}), "flag --config needs a value; write --config=string");
  EXPECT_EQ(refusal({"--pod-workers=many"}),
            "flag --pod-workers: \"many\" is not a whole number; write digits only, like \"120\"");
  EXPECT_EQ(refusal({"--taint=maybe"}), "flag --taint: \"maybe\" is neither true nor false");
  EXPECT_EQ(refusal({"---config=x"}), "\"---config=x\" is not a flag; write --name=value");
  EXPECT_EQ(refusal({"--=x"}), "\"--=x\" is not a flag; write --name=value");
  EXPECT_EQ(refusal({"-=x"}), "\"-=x\" is not a flag; write --name=value");
}

TEST_F(FlagsTest, unregistered_arguments_are_an_error) {
  EXPECT_EQ(refusal({"file"}), "unexpected argument \"file\"; see slurm-bridge controllers --help");
  EXPECT_EQ(refusal({"--config=a", "-"}),
            "unexpected argument \"-\"; see slurm-bridge controllers --help");
  EXPECT_EQ(refusal({""}), "unexpected argument \"\"; see slurm-bridge controllers --help");
  EXPECT_EQ(
      refusal({"-leader-elect", "false"}),
      "unexpected argument \"false\"; a switch takes its value with \"=\": --leader-elect=false");
}

TEST_F(FlagsTest, registered_arguments_may_be_mixed_with_flags) {
  std::string pod;
  std::string job;
  std::vector<std::string> more;
  flags_.argument("POD", &pod, "the pod");
  flags_.argument("JOB", &job, "the job", Flags::Need::optional);
  flags_.rest("MORE", &more, "more of them");
  EXPECT_EQ(refusal({}), "argument POD is missing (the pod); see slurm-bridge controllers --help");
  ASSERT_TRUE(flags_.parse(Arguments{"a/b"}).ok());
  EXPECT_EQ(pod, "a/b");
  ASSERT_TRUE(flags_.parse(Arguments{"a/c", "--config=x", "7", "--", "--taint", "--"}).ok());
  EXPECT_EQ(pod, "a/c");
  EXPECT_EQ(job, "7");
  EXPECT_EQ(more, (std::vector<std::string>{"--taint", "--"}));
  EXPECT_EQ(config_, "x");
}

TEST_F(FlagsTest, ignored_flags_warn_and_consume_their_value) {
  const Result<Flags::Outcome> outcome = flags_.parse(
      Arguments{"--feature-gates", "A=true,B=false", "-zap-devel", "--zap-devel=true"});
  ASSERT_TRUE(outcome.ok());
  ASSERT_EQ(outcome->warnings.size(), 3U);
  EXPECT_EQ(outcome->warnings[0],
            "flag --feature-gates is accepted for compatibility and has no effect: there are no "
            "feature gates here");
}

TEST_F(FlagsTest, help_ends_the_parsing) {
  for (const char* flag : {"-h", "--help", "-help"}) {
    const Result<Flags::Outcome> outcome = flags_.parse(Arguments{flag, "--nonsense"});
    ASSERT_TRUE(outcome.ok());
    EXPECT_TRUE(outcome->help_asked);
  }
}

TEST_F(FlagsTest, help_shows_every_flag_with_its_default) {
  std::string pod;
  flags_.argument("POD", &pod, "the pod");
  EXPECT_EQ(flags_.help(),
            R"(Usage: slurm-bridge controllers [flags] POD

Keeps pods and Slurm jobs in step.

Arguments:
  POD
        the pod

Flags:
  --config string
        where the configuration is (default "/etc/config.yaml")
  --leader-elect
        run only while holding the lease
  --taint
        taint the nodes (default true)
  --pod-workers int
        pods looked at together (default 1)
  --interval duration
        time between two looks (default 15s)
  --namespace string
        managed namespace (may be repeated)

Accepted for compatibility, without effect:
  --feature-gates, --zap-devel
)");
}

TEST_F(FlagsTest, a_flag_can_be_set_by_a_function) {
  std::string seen;
  flags_.add(
      "zap-log-level",
      [&seen](std::string_view value) -> Result<void> {
        if (value == "loud") return Error(Kind::invalid, "no such level");
        seen = value;
        return {};
      },
      "level",
      "level of detail");
  ASSERT_TRUE(flags_.parse(Arguments{"-zap-log-level", "info"}).ok());
  EXPECT_EQ(seen, "info");
  EXPECT_EQ(refusal({"-zap-log-level=loud"}), "flag --zap-log-level: no such level");
}

TEST_F(FlagsTest, accepts_the_arguments_of_main) {
  const char* argv[] = {"program", "--config=x", nullptr};
  ASSERT_TRUE(flags_.parse(2, argv).ok());
  EXPECT_EQ(config_, "x");
  EXPECT_TRUE(flags_.parse(0, argv + 2).ok());
}

TEST_F(FlagsTest, registering_a_name_twice_is_a_bug) {
  EXPECT_THROW(flags_.add("config", &config_, ""), std::logic_error);
  EXPECT_THROW(flags_.ignore("taint", Flags::Takes::nothing, ""), std::logic_error);
}

RC_GTEST_PROP(FlagsProperty, every_form_preserves_any_value, ()) {
  const auto value = *rc::gen::string<std::string>();
  const std::string equals = "config=" + value;
  const std::string one = "-" + equals;
  const std::string two = "--" + equals;
  for (const Arguments& arguments : {Arguments{"-config", value},
                                     Arguments{"--config", value},
                                     Arguments{one},
                                     Arguments{two}}) {
    std::string config;
    bool on = false;
    std::vector<std::string> rest;
    Flags flags("x", "");
    flags.add("config", &config, "");
    flags.add("on", &on, "");
    flags.rest("rest", &rest, "");
    Arguments all = arguments;
    all.insert(all.begin(), "-on");
    all.insert(all.end(), {"--", value, "-on=false"});
    RC_ASSERT(flags.parse(all).ok());
    RC_ASSERT(config == value);
    RC_ASSERT(on);
    RC_ASSERT(rest == (std::vector<std::string>{value, "-on=false"}));
  }
}

RC_GTEST_PROP(FlagsProperty, a_switch_never_consumes_the_next_argument, (const std::string& next)) {
  RC_PRE(!next.starts_with('-'));
  bool on = false;
  std::vector<std::string> rest;
  Flags flags("x", "");
  flags.add("on", &on, "");
  flags.rest("rest", &rest, "");
  RC_ASSERT(flags.parse(Arguments{"--on", next}).ok());
  RC_ASSERT(on);
  RC_ASSERT(rest == std::vector<std::string>{next});
}

}  // namespace
}  // namespace base
