// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/log.h"
#include "json/node.h"
#include "kube/cache/list_watch_health.h"
#include "kube/cache/page_size.h"
#include "kube/client/client.h"
#include "kube/client/request.h"
#include "kube/client/watch_event.h"
#include "net/async/loop.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace kube::inline cache {

// Receives the objects of a Reflector. Between list_begins and list_ends come the items of one
// complete list; the receiver shows none of them before list_ends, so that no reader sees a partial
// list.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void list_begins() = 0;
  virtual void list_item(const json::Node& object) = 0;
  virtual void list_ends() = 0;
  virtual void changed(const json::Node& object) = 0;
  virtual void deleted(const json::Node& object) = 0;
  // The server does not serve this resource, which may be absent (Selection::may_be_absent): its
  // CustomResourceDefinition does not exist yet, or was deleted. There are no objects then.
  virtual void not_served() {}
};

// Keeps a Sink equal to a collection of the API server: lists once, then watches.
//
// Guarantees  after any interruption (end of stream, partial event, refused or lost request) the
//             watch resumes from the last version that was completely received: nothing is missed
//             and nothing is listed again. Only a 410, or an event that is malformed twice in a
//             row, causes a new list. A lost page of a list is requested again by itself, in half
//             the size if it is too large or takes too long. Failures are retried with back-off
//             without limit, also repeated 410s. A lasting failure is reported once, and its end
//             once.
// Does not    decode kinds or decide anything about their content.
class Reflector {
 public:
  Reflector(net::Loop& loop, Client& client, Selection selection, Sink& sink, base::Log log);

  // Runs until its task is cancelled.
  net::Task<void> run();

  // Called when the server answers again after a failure.
  void on_recovery(std::function<void()> call) { on_recovery_ = std::move(call); }

  // Called, instead of logging, with a lasting failure and with its end.
  void on_report(std::function<void(const ListWatchReport&)> call) { on_report_ = std::move(call); }
  // A sentence while the collection cannot be listed or watched, else empty.
  std::string problem() const { return health_.problem(); }
  bool cannot(Verb verb) const { return health_.is_reported(verb); }
  std::string_view resource() const { return selection_.resource.plural; }

  // How many lists were begun, and how many 410s the server answered.
  std::uint64_t lists() const { return lists_; }
  std::uint64_t gone_answers() const { return gone_; }
  std::uint64_t watches() const { return watches_; }

 private:
  // The state between the first request and the watch, as in kube-rs.
  struct Empty {};      // a list has to be started
  struct InitialPage {  // the next page of a list has to be requested
    std::string continue_token;
    bool first = true;
  };
  struct Listed {         // a watch has to be opened
    std::string version;  // the last one that was completely received
  };
  struct Watching {
    std::string version;
    std::unique_ptr<net::http::Body> body;
    base::Instant valid_until;
    LineSplitter lines;
  };

  // Each makes one request or one read, and sets the state from which to continue.
  net::Task<base::Result<void>> step();
  net::Task<base::Result<void>> next_page();
  net::Task<base::Result<void>> open_watch();
  net::Task<base::Result<void>> read_watch();
  // Waits as the failure requires, and decides whether a new list is needed.
  net::Task<base::Result<void>> recover(base::Error error);
  net::Task<base::Result<void>> relist();
  net::Task<base::Result<void>> pause_after(Verb verb, const base::Error& error);
  base::Result<void> take_page(const std::string& body);
  base::Result<void> take_lines(Watching& watching);
  base::Result<void> take_line(std::string_view line, std::string& version);
  // Empty while a list is needed.
  std::string version() const;
  void request_succeeded();
  void shrink_page(const base::Error& error, base::Instant deadline);
  void report(const std::optional<ListWatchReport>& report);

  net::Loop& loop_;
  Client& client_;
  Selection selection_;
  Sink& sink_;
  base::Log log_;
  json::Parser parser_;
  base::Backoff backoff_;
  PageSize page_size_;
  ListWatchHealth health_;
  std::function<void()> on_recovery_;
  std::function<void(const ListWatchReport&)> on_report_;
  std::optional<base::Instant> request_sent_;  // empty while a watch is open
  std::variant<Empty, InitialPage, Listed, Watching> state_;
  std::string bad_event_after_;            // the version after which an event was malformed
  std::uint32_t lists_without_event_ = 0;  // new lists since the last event
  std::uint64_t lists_ = 0;
  std::uint64_t gone_ = 0;
  std::uint64_t watches_ = 0;
};

}  // namespace kube::inline cache
