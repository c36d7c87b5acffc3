// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/backoff.h"
#include "base/log.h"
#include "json/node.h"
#include "kube/client.h"
#include "kube/request.h"
#include "kube/watch_event.h"
#include "net/loop.h"

#include <cstdint>
#include <functional>
#include <string>

namespace kube {

// What a Reflector feeds. Between list_begins and list_ends come the items of one complete list;
// the receiver shows none of them before list_ends, so that nobody ever sees half a list.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void list_begins() = 0;
  virtual void list_item(const json::Node& object) = 0;
  virtual void list_ends() = 0;
  virtual void changed(const json::Node& object) = 0;
  virtual void deleted(const json::Node& object) = 0;
};

// Keeps a Sink equal to a collection of the API server: lists once, then watches.
//
// Guarantees  after any interruption (end of stream, half an event, a refused or lost request) the
//             watch goes on from the last version that was completely received, so nothing is
//             missed and nothing is listed again; only a 410, or an event that makes no sense at
//             the second look either, causes a new list. A page of a list that was lost is asked
//             for again by itself. Failures are retried with back-off for ever, and a server that
//             has nothing but 410s is not pressed either.
// Does not    decode kinds or decide anything about their content.
class Reflector {
 public:
  Reflector(net::Loop& loop, Client& client, Selection selection, Sink& sink, base::Log log);

  // Runs until its task is cancelled.
  net::Task<void> run();

  // Called when the server answers again after it did not.
  void on_recovery(std::function<void()> call) { on_recovery_ = std::move(call); }

  // How often a complete list was begun, and how often the server said 410.
  std::uint64_t lists() const { return lists_; }
  std::uint64_t gone_answers() const { return gone_; }
  std::uint64_t watches() const { return watches_; }

 private:
  // Each returns what ended it; the caller decides on the pause.
  net::Task<base::Result<void>> list();
  net::Task<base::Result<void>> watch();
  base::Result<void> take_page(const std::string& body, std::string& continue_token, bool& first);
  base::Result<void> take_line(std::string_view line);
  net::Task<base::Result<void>> pause_after(const base::Error& error);
  net::Task<base::Result<void>> begin_anew();
  void answered();

  net::Loop& loop_;
  Client& client_;
  Selection selection_;
  Sink& sink_;
  base::Log log_;
  json::Parser parser_;
  base::Backoff backoff_;
  std::function<void()> on_recovery_;
  std::string version_;              // empty: a list is needed
  std::string senseless_after_;      // the version after which something made no sense
  std::uint32_t lists_in_vain_ = 0;  // without one event since
  std::uint64_t lists_ = 0;
  std::uint64_t gone_ = 0;
  std::uint64_t watches_ = 0;
};

}  // namespace kube
