// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slurm/mirror/mirror.h"
#include "slurm/testing/fake_slurm.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

// For tests only.
namespace slurm::testing {

// A mirror of a fake Slurm on virtual time.
class MirrorTest : public ::testing::Test {
 protected:
  MirrorTest() {
    mirror_.on_change([this](JobId id) { changed_.push_back(id); });
    mirror_.on_scan([this] { ++scans_; });
    group_.spawn("mirror", mirror_.run());
  }
  ~MirrorTest() override {
    group_.cancel();
    loop_.run_virtual(clock_, clock_.now());
  }

  void pass(base::Duration time) { loop_.run_virtual(clock_, clock_.now() + time); }

  void make(std::uint32_t id, FakeJob job = {}) { slurm_.jobs[id] = std::move(job); }
  void start_job(std::uint32_t id, std::vector<std::string> nodes) {
    slurm_.jobs[id].state = "RUNNING";
    slurm_.jobs[id].nodes = std::move(nodes);
  }
  const JobView& view(std::uint32_t id) const { return *mirror_.find(JobId(id)); }

  std::size_t polls() const { return transport_.count("/jobs/state/?"); }
  std::size_t lists() const { return transport_.count("/jobs/state/") - polls(); }
  std::size_t looks() const { return transport_.count("/job/"); }
  std::size_t looks(std::uint32_t id) const {
    return transport_.count(fmt::format("/job/{}?", id));
  }

  base::VirtualClock clock_;
  net::Loop loop_{clock_, 7};
  FakeSlurm slurm_;
  ScriptedTransport transport_{loop_,
                               [this](const net::http::Request& r) { return slurm_.reply(r); }};
  TokenSource tokens_ = TokenSource::fixed(base::Secret("t"));
  Client client_{loop_, transport_, tokens_};
  Mirror mirror_{loop_, client_, MirrorOptions(), [](std::string_view comment) {
                   return comment.starts_with("mine");
                 }};
  net::TaskGroup group_{loop_};
  std::vector<JobId> changed_;
  int scans_ = 0;
};

}  // namespace slurm::testing
