// SPDX-License-Identifier: Apache-2.0
#include "models/kubectl/face.h"

#include "models/kube/json.h"
#include "models/kubectl/discovery.h"
#include "models/kubectl/protobuf.h"
#include "models/kubectl/table.h"

#include <string_view>
#include <utility>

namespace models::kubectl {
namespace {

std::string_view path_of(const net::http::Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

bool wants_table(const net::http::Request& request) {
  const auto accepted = request.header("Accept");
  return request.method == "GET" && accepted && accepted->contains("as=Table");
}

std::string_view includes(const kube::Query& query) {
  return query.get("includeObject");
}

// Logs, exec and similar requests: no container runs for these pods.
bool asks_for_containers(std::string_view path) {
  if (!path.contains("/pods/")) return false;
  for (const std::string_view what : {"/log", "/exec", "/attach", "/portforward"}) {
    if (path.ends_with(what)) return true;
  }
  return false;
}

bool is_protobuf(const net::http::Request& request) {
  const auto type = request.header("Content-Type");
  return !request.body.empty() && type && type->starts_with(kProtobuf);
}

}  // namespace

net::http::Response KubectlFace::handle_protobuf(const net::http::Request& request) {
  const auto object = read_protobuf(request.body);
  const std::string_view kind = object ? kube::text_at(*object, {"kind"}) : std::string_view();
  if (kind != "Namespace") {
    kube::Refusal refusal = kube::unsupported_media_type();
    refusal.message = "this server reads JSON only: write the object to a file, kubectl create -f";
    return answer(refusal);
  }
  net::http::Request as_json(request.method, request.target, object->dump());
  return server_.handle(as_json);
}

net::http::Response KubectlFace::handle(const net::http::Request& request) {
  const std::string_view path = path_of(request);
  if (path == "/healthz" || path == "/readyz" || path == "/livez") {
    return {200, {{"Content-Type", "text/plain; charset=utf-8"}}, "ok"};
  }
  if (auto found = discovered(path, server_.served())) return kube::answer(200, found->dump());
  if (asks_for_containers(path)) {
    return answer(
        kube::bad_request("pods have no containers here: there is nothing to read or to run"));
  }
  if (is_protobuf(request)) return handle_protobuf(request);
  net::http::Response response = server_.handle(request);
  if (response.status != 200 || !wants_table(request)) return response;
  kube::KubeTarget target;
  if (parse_target(request.target, server_.served(), target)) return response;
  const auto body = json::parse(response.body);
  if (!body.ok()) return response;
  const TableStyle style{target.resource(), includes(target.query), clock_.wall()};
  response.body = table_of(*body, style).dump();
  return response;
}

std::string KubectlFace::watch_lines(const net::http::Request& request, std::string lines) const {
  kube::KubeTarget target;
  if (!wants_table(request) || parse_target(request.target, server_.served(), target)) return lines;
  const TableStyle style{target.resource(), includes(target.query), clock_.wall()};
  std::string tables;
  std::string_view rest = lines;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    auto event = json::parse(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!event.ok()) continue;
    const bool is_object = kube::text_at(*event, {"type"}) != "ERROR";
    if (is_object) {
      event->as_object()->set("object", table_of(*kube::at(*event, {"object"}), style));
    }
    tables += event->dump() + "\n";
  }
  return tables;
}

}  // namespace models::kubectl
