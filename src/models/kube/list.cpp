// SPDX-License-Identifier: Apache-2.0
// Lists: selectors, pages, and their resource version.
#include "base/base64.h"
#include "base/integer.h"
#include "json/node.h"
#include "models/kube/defaults.h"
#include "models/kube/json.h"
#include "models/kube/list_options.h"
#include "models/kube/server.h"

#include <fmt/format.h>

#include <utility>

namespace models::kube {
namespace {

struct Page {
  std::vector<RevisionPtr> objects;
  std::size_t left = 0;   // after the last element, matching or not
  std::string last = {};  // its key
};

std::string items_of(const KubeResource& resource, const Page& page) {
  const bool is_converted = resource.group == "events.k8s.io";
  // Elements of a list do not repeat their kind.
  const std::string head =
      fmt::format(R"({{"kind":"{}","apiVersion":"{}",)", resource.kind, resource.api_version());
  std::size_t size = 2;
  for (const RevisionPtr& one : page.objects) size += one->text.size() + 1;
  std::string items;
  items.reserve(size);
  for (const RevisionPtr& one : page.objects) {
    items += items.empty() ? "" : ",";
    const std::string converted = is_converted ? to_new_event(one->value).dump() : std::string();
    std::string_view text = is_converted ? std::string_view(converted) : one->text;
    if (text.starts_with(head)) {
      items += '{';
      text.remove_prefix(head.size());
    }
    items += text;
  }
  return items;
}

}  // namespace

net::http::Response KubeServer::list(const KubeTarget& target) const {
  const KubeResource& resource = target.resource();
  const Collection& objects = collection(target);
  ListOptions options;
  if (Refused refused = read_list_options(target, version_, options)) return answer(*refused);
  if (options.version < objects.floor()) {
    Refusal refusal = expired("the version of this list is too old: list again from the beginning");
    if (!options.after.empty()) refusal.continue_token = continue_token(version_, options.after);
    return answer(refusal);
  }
  const auto wanted = Selector::parse(
      target.query.get("labelSelector"), target.query.get("fieldSelector"), resource);
  if (!wanted.ok()) return answer(bad_request(wanted.error().message()));

  const std::string prefix = target.ns.empty() ? "" : target.ns + "/";
  Page page;
  const std::string from = options.after.empty() ? prefix : options.after + '\0';
  objects.each_at(options.version, from, [&](const std::string& key, const RevisionPtr& revision) {
    if (!key.starts_with(prefix)) return false;
    if (options.limit > 0 && page.objects.size() == options.limit) {
      ++page.left;
      return wanted->selects_all();  // only then remainingItemCount is set
    }
    if (!wanted->matches(revision->value)) return true;
    page.objects.push_back(revision);
    page.last = key;
    return true;
  });

  std::string body = fmt::format(
      R"({{"kind":"{}List","apiVersion":"{}","metadata":)", resource.kind, resource.api_version());
  body += fmt::format(R"({{"resourceVersion":"{}")", options.version);
  if (page.left > 0) {
    body += fmt::format(R"(,"continue":"{}")", continue_token(options.version, page.last));
    if (wanted->selects_all()) body += fmt::format(R"(,"remainingItemCount":{})", page.left);
  }
  body += R"(},"items":[)" + items_of(resource, page) + "]}";
  return answer(200, std::move(body));
}

}  // namespace models::kube
