// SPDX-License-Identifier: Apache-2.0
// Lists: selectors, pages, and the version they are of.
#include "base/base64.h"
#include "base/integer.h"
#include "json/node.h"
#include "models/kube_defaults.h"
#include "models/kube_json.h"
#include "models/kube_list_options.h"
#include "models/kube_server.h"

#include <fmt/format.h>

#include <utility>

namespace models {
namespace {

struct Page {
  std::string items;
  std::size_t count = 0;
  std::size_t left = 0;   // behind the last one, whether they match or not
  std::string last = {};  // the key of the last one that did
};

void append_item(Page& page, std::string_view text, std::string_view head) {
  if (!page.items.empty()) page.items += ',';
  // Elements of a list do not repeat their kind.
  if (text.starts_with(head)) {
    page.items += '{';
    text.remove_prefix(head.size());
  }
  page.items += text;
  ++page.count;
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
  const std::string head =
      fmt::format(R"({{"kind":"{}","apiVersion":"{}",)", resource.kind, resource.api_version());
  const bool is_converted = resource.group == "events.k8s.io";
  Page page;
  const std::string from = options.after.empty() ? prefix : options.after + '\0';
  objects.each_at(options.version, from, [&](const std::string& key, const RevisionPtr& revision) {
    if (!key.starts_with(prefix)) return false;
    if (options.limit > 0 && page.count == options.limit) {
      ++page.left;
      return wanted->selects_all();  // only then somebody is told how many there are
    }
    if (!wanted->matches(revision->value)) return true;
    append_item(page, is_converted ? to_new_event(revision->value).dump() : revision->text, head);
    page.last = key;
    return true;
  });

  std::string metadata = fmt::format(R"("resourceVersion":"{}")", options.version);
  if (page.left > 0) {
    metadata += fmt::format(R"(,"continue":"{}")", continue_token(options.version, page.last));
    if (wanted->selects_all()) metadata += fmt::format(R"(,"remainingItemCount":{})", page.left);
  }
  return answer(
      200,
      fmt::format(R"({{"kind":"{}List","apiVersion":"{}","metadata":{{{}}},"items":[{}]}})",
                  resource.kind,
                  resource.api_version(),
                  metadata,
                  page.items));
}

}  // namespace models
