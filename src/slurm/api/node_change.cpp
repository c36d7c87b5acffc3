// SPDX-License-Identifier: Apache-2.0
#include "slurm/api/node_change.h"

#include "base/quote.h"
#include "json/value.h"
#include "slurm/api/answer.h"
#include "slurm/api/error_number.h"
#include "slurm/api/hostlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace slurm::inline api {
namespace {

using base::Error;
using base::Kind;
using base::Result;

constexpr int kInvalidUser = 2010;
constexpr int kInvalidTransition = 2180;

// True for one word of Slurm's configuration syntax: no separator, quote or comment character.
bool is_word(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return c > ' ' && c < 127 && c != '"' && c != '\\' && c != '#'; });
}

Result<void> append(std::string& line, std::string_view key, std::string_view value) {
  if (value.empty()) return {};
  if (!is_word(value)) {
    return Error(Kind::invalid,
                 fmt::format("{} cannot be a node's {} in Slurm", base::quoted(value), key));
  }
  const std::string_view quote = value.contains('=') ? "\"" : "";
  fmt::format_to(std::back_inserter(line), " {}={}{}{}", key, quote, value, quote);
  return {};
}

Result<void> append_features(std::string& line, const std::vector<std::string>& features) {
  std::string all;
  for (const std::string& feature : features) {
    if (feature.contains(',')) return Error(Kind::invalid, "a feature's name has a comma");
    if (!all.empty()) all += ',';
    all += feature;
  }
  return append(line, "Feature", all);
}

Result<std::string> node_line(const NewNode& node) {
  if (!slurm::is_host_name(node.name.value()) || node.name.value().contains('=')) {
    return Error(Kind::invalid,
                 fmt::format("{} cannot be a node's name", base::quoted(node.name.value())));
  }
  if (!node.gres.empty() && node.gres_conf.empty()) {
    return Error(Kind::invalid, "a new node's gres needs its gres_conf: Slurm refuses it without");
  }
  std::string line;
  TRY_VOID(append(line, "NodeName", node.name.value()));
  line.erase(0, 1);
  // One socket with all cores, as SlinkyProject/slurm-bridge writes it. Without these members Slurm
  // counts each CPU as a socket.
  fmt::format_to(std::back_inserter(line),
                 " Sockets=1 CoresPerSocket={} ThreadsPerCore={} CPUs={} RealMemory={}",
                 node.cores,
                 node.threads,
                 std::uint64_t{node.cores} * node.threads,
                 node.memory_mib);
  TRY_VOID(append(line, "Gres", node.gres));
  TRY_VOID(append(line, "GresConf", node.gres_conf));
  TRY_VOID(append_features(line, node.features));
  TRY_VOID(append(line, "Topology", node.topology));
  TRY_VOID(append(line, "NodeAddr", node.address));
  if (node.port) fmt::format_to(std::back_inserter(line), " Port={}", *node.port);
  return line + " State=EXTERNAL";
}

json::Object state(std::string_view word) {
  return {{"state", json::Array{word}}};
}

struct Body {
  Result<json::Object> operator()(const Drain& drain) const {
    if (drain.reason.empty()) return Error(Kind::invalid, "a drain needs a reason");
    return state("DRAIN").set("reason", drain.reason);
  }
  Result<json::Object> operator()(const Down& down) const {
    if (down.reason.empty()) return Error(Kind::invalid, "a node needs a reason to be down");
    return state("DOWN").set("reason", down.reason);
  }
  Result<json::Object> operator()(const Undrain&) const { return state("UNDRAIN"); }
  Result<json::Object> operator()(const Resume&) const { return state("RESUME"); }
  Result<json::Object> operator()(const SetFeatures& change) const {
    json::Array features;
    for (const std::string& feature : change.features) {
      if (!is_word(feature) || feature.contains(','))
        return Error(Kind::invalid, base::quoted(feature) + " cannot be a feature in Slurm");
      features.emplace_back(feature);
    }
    return json::Object{{"features", features}, {"features_act", features}};
  }
  Result<json::Object> operator()(const SetTopology& change) const {
    if (!is_word(change.topology))
      return Error(Kind::invalid, base::quoted(change.topology) + " cannot be a topology in Slurm");
    return json::Object{{"topology_str", change.topology}};
  }
  Result<json::Object> operator()(const SetComment& change) const {
    return json::Object{{"comment", change.comment}};
  }
};

// For node requests these numbers have another meaning than for a submit.
std::optional<Kind> kind_of(int code) {
  switch (code) {
    case kInvalidUser: return Kind::forbidden;
    case kInvalidNodeName: return Kind::not_found;
    case kInvalidTransition: return Kind::conflict;
    default: return std::nullopt;
  }
}

}  // namespace

Result<std::string> node_change_body(const NodeChange& change) {
  TRY(json::Object body, std::visit(Body{}, change));
  return json::Value(std::move(body)).dump();
}

Result<std::string> new_node_body(const NewNode& node) {
  TRY(std::string line, node_line(node));
  return json::Value(json::Object{{"node_conf", std::move(line)}}).dump();
}

Result<void> node_changed(const net::http::Response& answer) {
  Result<void> outcome = done(answer);
  if (outcome.ok()) return outcome;
  const auto kind = kind_of(outcome.error().code());
  if (!kind) return outcome;
  return Error(*kind, outcome.error().message())
      .with_status(answer.status)
      .with_code(outcome.error().code());
}

}  // namespace slurm::inline api
