// SPDX-License-Identifier: Apache-2.0
#include "kube/admission/webhook_server.h"

#include <memory>
#include <utility>

namespace kube::inline admission {
namespace {

using base::Result;
using net::http::Answer;
using net::http::Response;
using Routes = std::map<std::string, AdmissionHandler>;

Response plain(int status, std::string text) {
  return Response(status, {{"Content-Type", "text/plain"}}, std::move(text) + "\n");
}

net::Task<AdmissionVerdict> judged(const json::Node document, const AdmissionHandler& handler) {
  auto request = read_admission_request(document);
  if (!request.ok()) co_return denied(400, request.error().message());
  co_return co_await handler(std::move(*request));
}

net::Task<Answer> answer(std::shared_ptr<const Routes> routes, net::http::Request request) {
  const auto route = routes->find(request.target.substr(0, request.target.find('?')));
  if (route == routes->end()) co_return plain(404, "no webhook has this path");
  if (request.method != "POST") co_return plain(405, "POST an AdmissionReview");
  json::Parser parser;
  const auto document = parser.parse(request.body);
  if (!document.ok()) co_return plain(400, document.error().message());
  const auto uid = review_uid(*document);
  if (!uid.ok()) co_return plain(400, uid.error().message());
  const AdmissionVerdict verdict = co_await judged(*document, route->second);
  co_return Response(200, {{"Content-Type", "application/json"}}, review_answer(*uid, verdict));
}

}  // namespace

net::http::Handler admission_handler(Routes routes) {
  return [kept = std::make_shared<const Routes>(std::move(routes))](net::http::Request request) {
    return answer(kept, std::move(request));
  };
}

}  // namespace kube::inline admission
