// SPDX-License-Identifier: Apache-2.0
#include "models/kubectl/table.h"

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "models/kube/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace models::kubectl {
namespace {

struct Column {
  std::string_view name;
  int priority = 0;  // 1: only with -o wide
};
using Cells = json::Array (*)(const json::Value& object, base::WallTime now);

// The columns of one kind. `name_last` is for events, whose name is not informative.
struct Shape {
  std::string_view plural;
  std::vector<Column> columns;
  Cells cells;
  bool name_last = false;
};

std::string age_of(const json::Value& object, base::WallTime now) {
  return age(kube::text_at(object, {"metadata", "creationTimestamp"}), now);
}

std::string node_status(const json::Value& node) {
  std::string status = "Unknown";
  for (const json::Value& condition : kube::array_at(node, {"status", "conditions"})) {
    if (kube::text_at(condition, {"type"}) != "Ready") continue;
    status = kube::text_at(condition, {"status"}) == "True" ? "Ready" : "NotReady";
  }
  const json::Value* cordoned = kube::at(node, {"spec", "unschedulable"});
  if (cordoned != nullptr && *cordoned == json::Value(true)) status += ",SchedulingDisabled";
  return status;
}

std::string node_roles(const json::Value& node) {
  constexpr std::string_view kRole = "node-role.kubernetes.io/";
  std::vector<std::string> roles;
  for (const json::Member& label : kube::object_at(node, {"metadata", "labels"})) {
    if (label.key.starts_with(kRole) && label.key.size() > kRole.size()) {
      roles.push_back(label.key.substr(kRole.size()));
    }
  }
  std::ranges::sort(roles);
  return roles.empty() ? "<none>" : fmt::format("{}", fmt::join(roles, ","));
}

std::string_view node_address(const json::Value& node, std::string_view type) {
  for (const json::Value& address : kube::array_at(node, {"status", "addresses"})) {
    if (kube::text_at(address, {"type"}) == type) return kube::text_at(address, {"address"});
  }
  return "<none>";
}

json::Array node_cells(const json::Value& node, base::WallTime now) {
  const auto info = [&](std::string_view key) {
    const std::string_view text = kube::text_at(node, {"status", "nodeInfo", key});
    return text.empty() ? "<unknown>" : text;
  };
  return {node_status(node),
          node_roles(node),
          age_of(node, now),
          kube::text_at(node, {"status", "nodeInfo", "kubeletVersion"}),
          node_address(node, "InternalIP"),
          node_address(node, "ExternalIP"),
          info("osImage"),
          info("kernelVersion"),
          info("containerRuntimeVersion")};
}

std::string_view first_of(std::string_view a, std::string_view b) {
  return a.empty() ? b : a;
}

std::string event_source(const json::Value& event) {
  const std::string_view component = first_of(kube::text_at(event, {"source", "component"}),
                                              kube::text_at(event, {"reportingComponent"}));
  const std::string_view host = first_of(kube::text_at(event, {"source", "host"}),
                                         kube::text_at(event, {"reportingInstance"}));
  return host.empty() ? std::string(component) : fmt::format("{}, {}", component, host);
}

json::Array event_cells(const json::Value& event, base::WallTime now) {
  const std::string_view moment = kube::text_at(event, {"eventTime"});
  const std::string_view first = first_of(kube::text_at(event, {"firstTimestamp"}), moment);
  const std::string_view last = first_of(kube::text_at(event, {"lastTimestamp"}), first);
  const json::Value* count = event.find("count");
  const json::Value* series = kube::at(event, {"series", "count"});
  json::Value times = 1;
  if (count != nullptr) times = *count;
  if (series != nullptr) times = *series;
  return {age(last, now),
          kube::text_at(event, {"type"}),
          kube::text_at(event, {"reason"}),
          fmt::format("{}/{}",
                      base::ascii_lower(kube::text_at(event, {"involvedObject", "kind"})),
                      kube::text_at(event, {"involvedObject", "name"})),
          kube::text_at(event, {"involvedObject", "fieldPath"}),
          event_source(event),
          kube::text_at(event, {"message"}),
          age(first, now),
          std::move(times)};
}

json::Array lease_cells(const json::Value& lease, base::WallTime now) {
  return {kube::text_at(lease, {"spec", "holderIdentity"}), age_of(lease, now)};
}
json::Array namespace_cells(const json::Value& space, base::WallTime now) {
  return {kube::text_at(space, {"status", "phase"}), age_of(space, now)};
}
json::Array map_cells(const json::Value& map, base::WallTime now) {
  const std::size_t all =
      kube::object_at(map, {"data"}).size() + kube::object_at(map, {"binaryData"}).size();
  return {all, age_of(map, now)};
}
json::Array plain_cells(const json::Value& object, base::WallTime now) {
  return {age_of(object, now)};
}

const Shape& shape_of(const kube::KubeResource& resource) {
  static const std::array<Shape, 6> kShapes{{
      {"pods",
       {{"Name"},
        {"Ready"},
        {"Status"},
        {"Restarts"},
        {"Age"},
        {"IP", 1},
        {"Node", 1},
        {"Nominated Node", 1},
        {"Readiness Gates", 1}},
       pod_cells},
      {"nodes",
       {{"Name"},
        {"Status"},
        {"Roles"},
        {"Age"},
        {"Version"},
        {"Internal-IP", 1},
        {"External-IP", 1},
        {"OS-Image", 1},
        {"Kernel-Version", 1},
        {"Container-Runtime", 1}},
       node_cells},
      {"events",
       {{"Last Seen"},
        {"Type"},
        {"Reason"},
        {"Object"},
        {"Subobject", 1},
        {"Source", 1},
        {"Message"},
        {"First Seen", 1},
        {"Count", 1},
        {"Name", 1}},
       event_cells,
       true},
      {"leases", {{"Name"}, {"Holder"}, {"Age"}}, lease_cells},
      {"namespaces", {{"Name"}, {"Status"}, {"Age"}}, namespace_cells},
      {"configmaps", {{"Name"}, {"Data"}, {"Age"}}, map_cells},
  }};
  static const Shape kPlain{"", {{"Name"}, {"Age"}}, plain_cells};
  const auto found = std::ranges::find(kShapes, resource.plural, &Shape::plural);
  return found == kShapes.end() ? kPlain : *found;
}

json::Value row_of(const json::Value& object, const Shape& shape, const TableStyle& style) {
  const std::string_view name = kube::text_at(object, {"metadata", "name"});
  json::Array cells = shape.cells(object, style.now);
  cells.insert(shape.name_last ? cells.end() : cells.begin(), json::Value(name));
  json::Object row{{"cells", std::move(cells)}};
  if (style.includes == "None") return row;
  if (style.includes == "Object") {
    json::Object whole{{"kind", style.resource.kind}, {"apiVersion", style.resource.api_version()}};
    for (const json::Member& member : *object.as_object()) whole.set(member.key, member.value);
    return row.set("object", std::move(whole));
  }
  const json::Value* metadata = object.find("metadata");
  return row.set("object",
                 json::Object{{"kind", "PartialObjectMetadata"},
                              {"apiVersion", "meta.k8s.io/v1"},
                              {"metadata", metadata == nullptr ? json::Value() : *metadata}});
}

std::string two_units(std::int64_t whole, char unit, std::int64_t rest, char smaller) {
  if (rest == 0) return fmt::format("{}{}", whole, unit);
  return fmt::format("{}{}{}{}", whole, unit, rest, smaller);
}

}  // namespace

std::string age(std::string_view rfc3339, base::WallTime now) {
  const auto when = base::parse_rfc3339(rfc3339);
  if (!when.ok()) return "<unknown>";
  const std::int64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(now - *when).count();
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  constexpr std::int64_t kYear = 365;
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (minutes < 10) return two_units(minutes, 'm', seconds % 60, 's');
  if (hours < 3) return fmt::format("{}m", minutes);
  if (hours < 8) return two_units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return two_units(days, 'd', hours % 24, 'h');
  if (days < 2 * kYear) return fmt::format("{}d", days);
  if (days < 8 * kYear) return two_units(days / kYear, 'y', days % kYear, 'd');
  return fmt::format("{}y", days / kYear);
}

json::Value table_of(const json::Value& list_or_object, const TableStyle& style) {
  const Shape& shape = shape_of(style.resource);
  json::Array columns;
  for (const Column& column : shape.columns) {
    columns.emplace_back(json::Object{{"name", column.name},
                                      {"type", "string"},
                                      {"format", column.name == "Name" ? "name" : ""},
                                      {"description", ""},
                                      {"priority", column.priority}});
  }
  json::Array rows;
  json::Object metadata;
  const json::Value* items = list_or_object.find("items");
  if (items != nullptr && items->as_array() != nullptr) {
    metadata = kube::object_at(list_or_object, {"metadata"});
    for (const json::Value& item : *items->as_array()) rows.push_back(row_of(item, shape, style));
  } else {
    metadata.set("resourceVersion", kube::text_at(list_or_object, {"metadata", "resourceVersion"}));
    rows.push_back(row_of(list_or_object, shape, style));
  }
  return json::Object{{"kind", "Table"},
                      {"apiVersion", "meta.k8s.io/v1"},
                      {"metadata", std::move(metadata)},
                      {"columnDefinitions", std::move(columns)},
                      {"rows", std::move(rows)}};
}

}  // namespace models::kubectl
