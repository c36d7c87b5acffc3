// SPDX-License-Identifier: Apache-2.0
#include "models/kube/target.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace models::kube {
namespace {

// Decodes %XX and, in a query, "+".
std::string decoded(std::string_view text, bool in_query) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr ==
            text.data() + i + 3) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += in_query && text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

// Removes and returns the next part, up to a separator that is removed with it.
std::string_view cut_part(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

constexpr std::size_t kMostParts = 10;
struct Path {
  std::array<std::string_view, kMostParts> parts;
  std::size_t count = 0;

  explicit Path(std::string_view text) {
    while (!text.empty() && count < kMostParts) {
      const std::string_view part = cut_part(text, '/');
      if (!part.empty()) parts.at(count++) = part;
    }
  }
};

const ServedResource* find_served(const std::vector<ServedResource>& served,
                                  std::span<const std::string_view> api,
                                  std::string_view plural) {
  const std::string_view group = api.size() == 3 ? api[1] : std::string_view();
  const auto found = std::ranges::find_if(served, [&](const ServedResource& one) {
    return one.resource.plural == plural && one.resource.version == api.back() &&
           one.resource.group == group;
  });
  return found == served.end() ? nullptr : &*found;
}

// After group and version: [watch] [namespaces/NS] plural [name [subresource]].
Refused parse_rest(std::span<const std::string_view> api,
                   std::span<const std::string_view> rest,
                   const std::vector<ServedResource>& served,
                   KubeTarget& target) {
  if (!rest.empty() && rest[0] == "watch") {
    target.watch = true;
    rest = rest.subspan(1);
  }
  const bool has_namespace =
      rest.size() > 2 && rest[0] == "namespaces" && rest[2] != "status" && rest[2] != "finalize";
  if (has_namespace) {
    target.ns = decoded(rest[1], false);
    rest = rest.subspan(2);
  }
  if (rest.empty() || rest.size() > 3) return no_such_path();
  const bool is_binding = has_namespace && rest[0] == "bindings" && rest.size() == 1;
  target.served = find_served(served, api, is_binding ? "pods" : rest[0]);
  if (target.served == nullptr) return no_such_path();
  if (has_namespace && !target.resource().namespaced) return no_such_path();
  if (is_binding) target.subresource = "binding";
  if (rest.size() > 1) target.name = decoded(rest[1], false);
  if (rest.size() > 2) target.subresource = rest[2];
  // The namespace of an object cannot be omitted.
  if (target.resource().namespaced && !has_namespace && rest.size() > 1) return no_such_path();
  return std::nullopt;
}

}  // namespace

Query::Query(std::string_view text) {
  while (!text.empty()) {
    std::string_view value = cut_part(text, '&');
    const std::string_view name = cut_part(value, '=');
    parameters_.emplace_back(decoded(name, true), decoded(value, true));
  }
}

std::string_view Query::get(std::string_view name) const {
  const auto found =
      std::ranges::find_if(parameters_, [&](const auto& p) { return p.first == name; });
  return found == parameters_.end() ? std::string_view() : std::string_view(found->second);
}

bool Query::has(std::string_view name) const {
  return std::ranges::any_of(parameters_, [&](const auto& p) { return p.first == name; });
}

bool Query::is_true(std::string_view name) const {
  const std::string_view value = get(name);
  return value == "1" || value == "true";
}

Refused parse_target(std::string_view text,
                     const std::vector<ServedResource>& served,
                     KubeTarget& target) {
  const std::size_t mark = std::min(text.find('?'), text.size());
  if (mark < text.size()) target.query = Query(text.substr(mark + 1));
  const Path path(text.substr(0, mark));
  const std::span<const std::string_view> parts(path.parts.data(), path.count);
  const std::size_t api = parts.empty() || parts[0] != "apis" ? 2 : 3;
  if (parts.size() <= api || (parts[0] != "api" && parts[0] != "apis")) return no_such_path();
  return parse_rest(parts.first(api), parts.subspan(api), served, target);
}

bool asks_for_watch(std::string_view method, std::string_view target) {
  if (method != "GET") return false;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const Path path(target.substr(0, mark));
  const std::size_t api = path.count > 0 && path.parts[0] == "apis" ? 3 : 2;
  if (path.count > api && path.parts.at(api) == "watch") return true;
  // A collection has an odd number of parts (pods, namespaces/NS/pods); a single object is not
  // watched.
  if (path.count <= api || (path.count - api) % 2 == 0) return false;
  if (!target.substr(mark).contains("watch=")) return false;
  return Query(target.substr(mark + 1)).is_true("watch");
}

}  // namespace models::kube
