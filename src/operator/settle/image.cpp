// SPDX-License-Identifier: Apache-2.0
#include "operator/settle/image.h"

#include <fmt/format.h>

namespace slurmop::settle {
namespace {

// Where the tag of an image begins, with its colon; the end if it has none. A colon before a slash
// belongs to the port of a registry.
std::size_t tag_position(std::string_view image) {
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.find(':', slash == std::string_view::npos ? 0 : slash);
  return colon == std::string_view::npos ? image.size() : colon;
}

}  // namespace

std::string image_of(const api::ImageReference& reference, std::string_view fallback) {
  if (reference.repository.empty() && reference.tag.empty()) return std::string(fallback);
  const std::size_t end = tag_position(fallback);
  std::string_view repository = reference.repository;
  if (repository.empty()) repository = fallback.substr(0, end);
  if (repository.contains('@') || tag_position(repository) < repository.size()) {
    return std::string(repository);
  }
  if (!reference.tag.empty()) return fmt::format("{}:{}", repository, reference.tag);
  return fmt::format("{}{}", repository, fallback.contains('@') ? "" : fallback.substr(end));
}

}  // namespace slurmop::settle
