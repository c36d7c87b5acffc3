// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/auth/config.h"
#include "kube/client/client.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"
#include "plan.h"
#include "timeline.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace load {

// Executes a plan over several kept connections, each with one request at a time.
//
// Guarantees  connections are open before the clock starts; the first error ends the run and is
//             returned.
class Driver {
 public:
  Driver(net::Loop& loop, Plan plan, const kube::ClusterConfig& config, base::Log log);

  // Maximum number of connections.
  base::Result<void> prepare();
  net::Task<base::Result<void>> run();

  const Timeline& timeline() const { return timeline_; }
  // From the first request to the last answer, or until the last pod reached the wanted stage.
  base::Duration took() const { return took_; }

 private:
  struct Link {
    std::unique_ptr<net::http::Transport> transport;
    std::unique_ptr<kube::Client> client;
  };

  net::Task<void> work(kube::Client& client, base::Instant began);
  net::Task<base::Result<void>> one(kube::Client& client, std::int32_t number);
  net::Task<base::Result<void>> create(kube::Client& client, std::int32_t number);
  net::Task<base::Result<void>> label_and_bind(kube::Client& client, std::int32_t number);
  net::Task<base::Result<void>> free(kube::Client& client, std::int32_t number);
  net::Task<base::Result<void>> warm_up();
  net::Task<base::Result<void>> delete_pods();
  net::Task<base::Result<void>> wait_for_pods(base::Instant deadline);
  std::string path(const std::string& name, std::string_view subresource = "") const;
  base::Instant soon() const { return loop_.in(std::chrono::seconds(30)); }

  net::Loop& loop_;
  Plan plan_;
  const kube::ClusterConfig& config_;
  base::Log log_;
  kube::Credentials credentials_;
  Timeline timeline_;
  std::vector<Link> links_;
  std::vector<std::string> held_;  // clear: by a finalizer
  std::int32_t next_ = 0;
  std::optional<base::Error> failure_;
  base::Duration took_{};
};

}  // namespace load
