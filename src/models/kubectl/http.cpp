// SPDX-License-Identifier: Apache-2.0
#include "models/kubectl/http.h"

#include "base/integer.h"
#include "models/kube/target.h"

#include <algorithm>
#include <utility>

namespace models::kubectl {
namespace {

constexpr base::Duration kBookmarkEvery = std::chrono::minutes(1);
constexpr std::int64_t kUsualSeconds = 45 * 60;
constexpr std::size_t kEventsAtOnce = 256;

kube::Query query_of(const net::http::Request& request) {
  const std::size_t mark = request.target.find('?');
  if (mark == std::string::npos) return {};
  return kube::Query(std::string_view(request.target).substr(mark + 1));
}

}  // namespace

KubeHttp::KubeHttp(net::Loop& loop, kube::KubeServer& server)
    : loop_(loop), server_(server), face_(server, loop.clock()), changed_(loop) {
  server_.on_write([this](const kube::ObjectWrite&) { changed_.notify(); });
}

net::http::Handler KubeHttp::handler() {
  return [this](net::http::Request request) { return answer(std::move(request)); };
}

net::Task<net::http::Answer> KubeHttp::answer(net::http::Request request) {
  if (!kube::KubeServer::is_watch(request)) co_return face_.handle(request);
  auto opened = server_.open_watch(request);
  if (auto* refused = std::get_if<net::http::Response>(&opened)) co_return std::move(*refused);
  net::http::StreamBody body =
      [this, request, cursor = std::get<kube::WatchCursor>(opened)](net::http::BodyWriter& out) {
        return follow(request, cursor, out);
      };
  co_return net::http::Answer(200, {{"Content-Type", "application/json"}}, std::move(body));
}

net::Task<base::Result<void>> KubeHttp::follow(net::http::Request request,
                                               kube::WatchCursor cursor,
                                               net::http::BodyWriter& out) {
  const kube::Query query = query_of(request);
  const bool wants_bookmarks = query.is_true("allowWatchBookmarks");
  const auto wanted = base::parse_integer<std::int64_t>(query.get("timeoutSeconds"));
  const base::Instant end = loop_.in(std::chrono::seconds(wanted.ok() ? *wanted : kUsualSeconds));
  base::Instant next_bookmark = loop_.in(kBookmarkEvery);
  while (loop_.now() < end) {
    std::string lines;
    (void)server_.read_watch(cursor, lines, kEventsAtOnce);
    if (loop_.now() >= next_bookmark) {
      if (wants_bookmarks) lines += server_.bookmark(cursor);
      next_bookmark = loop_.in(kBookmarkEvery);
    }
    if (!lines.empty()) {
      const bool is_over = lines.contains(R"({"type":"ERROR")");
      const std::string shown = face_.watch_lines(request, std::move(lines));
      CO_TRY_VOID(co_await out.write(shown));
      if (is_over) co_return base::Result<void>();
      continue;
    }
    CO_TRY([[maybe_unused]] const bool notified,
           co_await changed_.wait_until(std::min(end, next_bookmark)));
  }
  co_return base::Result<void>();
}

}  // namespace models::kubectl
