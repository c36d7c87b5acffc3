// SPDX-License-Identifier: Apache-2.0
#include "kube/ca/ca_bundle.h"

#include "base/base64.h"
#include "json/patch.h"
#include "json/pointer.h"

#include <string>

namespace kube::inline ca {
namespace {

bool has_bundle(const json::Value* config, const std::string& bundle) {
  const json::Value* there = config == nullptr ? nullptr : config->find("caBundle");
  return there != nullptr && there->as_string() != nullptr && *there->as_string() == bundle;
}

}  // namespace

std::optional<json::Array> ca_bundle_patch(const json::Value& configuration, std::string_view pem) {
  const std::string bundle = base::encode_base64(pem);
  json::JsonPatch patch;
  const json::Value* version = json::find(configuration, {"metadata", "resourceVersion"});
  if (version != nullptr) patch.test("/metadata/resourceVersion", *version);
  const std::size_t tests = patch.operations().size();
  if (const json::Value* webhooks = configuration.find("webhooks");
      webhooks != nullptr && webhooks->as_array() != nullptr) {
    for (std::size_t i = 0; i < webhooks->as_array()->size(); ++i) {
      if (!has_bundle((*webhooks->as_array())[i].find("clientConfig"), bundle))
        patch.add("/webhooks/" + std::to_string(i) + "/clientConfig/caBundle", bundle);
    }
  }
  const json::Value* conversion =
      json::find(configuration, {"spec", "conversion", "webhook", "clientConfig"});
  if (conversion != nullptr && !has_bundle(conversion, bundle))
    patch.add("/spec/conversion/webhook/clientConfig/caBundle", bundle);
  if (patch.operations().size() == tests) return std::nullopt;
  return std::move(patch).operations();
}

}  // namespace kube::inline ca
