// SPDX-License-Identifier: Apache-2.0
// Data from the API server: pages of lists, lines of watches, objects, Status errors. The first
// letter selects how the rest arrives.
#include "base/clock.h"
#include "fuzz/check.h"
#include "kube/api/foreign_pod.h"
#include "kube/api/node.h"
#include "kube/api/pod.h"
#include "kube/api/resource_slice.h"
#include "kube/api/volumes.h"
#include "kube/cache/reflector.h"
#include "kube/client/client.h"
#include "net/async/loop.h"
#include "net/async/task_group.h"

#include <array>
#include <deque>
#include <memory>

namespace {

using base::Error;
using base::Kind;
using base::Result;
using fuzz::check;
using fuzz::check_message;

void decode(const json::Node& object) {
  const auto pod = kube::decode_object<kube::Pod>(object);
  if (!pod.ok()) check(pod.error().message().starts_with("$"), "a pod's error says where");
  const auto foreign = kube::decode_object<kube::ForeignPod>(object);
  if (!foreign.ok())
    check(foreign.error().message().starts_with("$"), "and so does a foreign one's");
  (void)kube::decode_object<kube::PersistentVolumeClaim>(object);
  (void)kube::decode_object<kube::PersistentVolume>(object);
  (void)kube::decode_object<kube::StorageClass>(object);
  (void)kube::decode_object<kube::ResourceSlice>(object);
  const auto node = kube::decode_object<kube::Node>(object);
  if (!node.ok()) check(node.error().message().starts_with("$"), "a node's error says where");
  (void)kube::resource_version(object);
}

void object(std::string_view text) {
  json::Parser parser;
  const auto root = parser.parse(text);
  if (root.ok()) decode(*root);
}

void status(std::string_view text) {
  constexpr std::array kStatuses = {400, 401, 403, 404, 409, 410, 422, 429, 500, 503, 504, 302};
  fuzz::Input input(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const int code = input.one_of(kStatuses);
  const Error error = kube::error_of(code, input.rest(), {{"Retry-After", "7"}});
  check(!error.message().empty() && error.status() == code,
        "an error has a message and its status");
  check(error.retry_after() == std::chrono::seconds(7), "and the requested wait");
  json::Parser parser;
  const auto root = parser.parse(input.rest());
  if (root.ok()) (void)kube::error_in_event(*root);
}

// Decodes and counts the objects.
class Decoder final : public kube::Sink {
 public:
  void list_begins() override {
    check(!listing_, "one list at a time");
    listing_ = true;
  }
  void list_item(const json::Node& item) override {
    check(listing_, "items belong to a list");
    seen(item);
  }
  void list_ends() override { listing_ = false; }
  void changed(const json::Node& item) override { event(item); }
  void deleted(const json::Node& item) override { event(item); }

  std::vector<std::string> all;

 private:
  void event(const json::Node& item) {
    check(!listing_, "events come after the list");
    seen(item);
  }
  void seen(const json::Node& item) {
    decode(item);
    all.push_back(item.to_value().dump());
  }

  bool listing_ = false;
};

class Pieces final : public net::http::Body {
 public:
  explicit Pieces(std::vector<std::string_view> pieces) : left_(pieces.begin(), pieces.end()) {}

  net::Task<Result<std::size_t>> read(std::string& append_to, base::Instant) override {
    if (left_.empty()) co_return Error(Kind::lost, "the connection ended");
    const std::string_view piece = left_.front();
    left_.pop_front();
    append_to += piece;
    co_return piece.size();
  }

 private:
  std::deque<std::string_view> left_;
};

// Every list is one page, every watch the same bytes in the same pieces.
class Server final : public net::http::Transport {
 public:
  Server(std::string_view page, std::vector<std::string_view> watch)
      : page_(page), watch_(std::move(watch)) {}

  net::Task<Result<net::http::Response>> send(net::http::Request, base::Instant) override {
    if (++lists_ > 1) co_return Error(Kind::unreachable, "one list is enough");
    co_return net::http::Response(200, {}, std::string(page_));
  }
  net::Task<Result<net::http::StreamingResponse>> open(net::http::Request, base::Instant) override {
    if (++watches_ > 1) co_return Error(Kind::unreachable, "one watch is enough");
    co_return net::http::StreamingResponse(200, {}, std::make_unique<Pieces>(watch_));
  }

 private:
  std::string_view page_;
  std::vector<std::string_view> watch_;
  int lists_ = 0;
  int watches_ = 0;
};

std::vector<std::string> reflected(std::string_view page, std::vector<std::string_view> watch) {
  base::VirtualClock clock;
  net::Loop loop(clock, 1);
  Server server(page, std::move(watch));
  kube::Credentials credentials;
  kube::Client client(server, credentials);
  Decoder decoder;
  kube::Reflector reflector(loop, client, {kube::kPods, "", "", ""}, decoder, {});
  net::TaskGroup group(loop);
  group.spawn("reflector", reflector.run());
  loop.run_virtual(clock, clock.now() + std::chrono::seconds(1));
  group.cancel();
  loop.run_virtual(clock, clock.now());
  return decoder.all;
}

void list(std::string_view text) {
  (void)reflected(text, {});
}

void watch(std::string_view text) {
  constexpr std::string_view kEmpty = R"({"metadata":{"resourceVersion":"1"},"items":[]})";
  if (text.empty()) return;
  const auto whole = reflected(kEmpty, {text});
  check(reflected(kEmpty, fuzz::pieces(text, 1, 9)) == whole, "pieces make the same events");
}

constexpr std::array kReaders = {object, status, list, watch};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto read = input.one_of(kReaders);
  read(input.rest());
  return 0;
}
