// SPDX-License-Identifier: Apache-2.0
#include "operator/secrets/ssh_host_keys.h"

#include "base/base64.h"
#include "operator/secrets/random.h"
#include "operator/secrets/ssh_key_parts.h"
#include "operator/secrets/ssh_wire.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstring>
#include <utility>

// The container openssh-key-v1 is described in PROTOCOL.key of OpenSSH.
namespace slurmop::secrets {
namespace {

using base::Error;
using base::Kind;
using base::Result;
using base::Secret;

constexpr std::string_view kMagic("openssh-key-v1\0", 15);
constexpr std::string_view kBegin = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
constexpr std::string_view kEnd = "-----END OPENSSH PRIVATE KEY-----\n";
constexpr std::size_t kLineLength = 70;
constexpr std::size_t kBlock = 8;  // of the cipher "none"

std::string_view file_name(SshKeyType type) {
  switch (type) {
    case SshKeyType::ed25519: return "ssh_host_ed25519_key";
    case SshKeyType::ecdsa_p521: return "ssh_host_ecdsa_key";
    case SshKeyType::rsa_3072: return "ssh_host_rsa_key";
  }
  return "";
}

// The private section: a reader detects a wrong passphrase by the two equal numbers and the padding.
Result<SshWriter> private_section(const SshKeyParts& parts, std::string_view comment) {
  std::uint32_t check = 0;
  TRY_VOID(fill_from_system({reinterpret_cast<char*>(&check), sizeof check}));
  SshWriter section;
  section.uint32(check);
  section.uint32(check);
  section.raw(parts.private_fields.view());
  section.string(comment);
  for (char padding = 1; section.view().size() % kBlock != 0; ++padding) {
    section.raw({&padding, 1});
  }
  return section;
}

Result<SshWriter> container(const SshKeyParts& parts, std::string_view comment) {
  TRY(const SshWriter section, private_section(parts, comment));
  SshWriter all;
  all.raw(kMagic);
  all.string("none");  // cipher
  all.string("none");  // key derivation
  all.string("");      // its options
  all.uint32(1);       // number of keys
  all.string(parts.public_blob.view());
  all.string(section.view());
  return all;
}

// In base64, as a PEM file.
Secret armored(std::string_view bytes) {
  WipedBytes text((bytes.size() + 2) / 3 * 4 + 1);  // with the zero that OpenSSL appends
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  SshWriter file;
  file.raw(kBegin);
  std::string_view rest(text.data(), static_cast<std::size_t>(size));
  while (!rest.empty()) {
    file.raw(rest.substr(0, kLineLength));
    file.raw("\n");
    rest.remove_prefix(std::min(kLineLength, rest.size()));
  }
  file.raw(kEnd);
  return Secret(file.view());
}

bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
}

}  // namespace

Result<SshKeyPair> make_ssh_key(SshKeyType type, std::string_view comment) {
  if (!is_printable(comment)) {
    return Error(Kind::invalid, "the comment of an SSH key has a control character");
  }
  TRY(const SshKeyParts parts, generate_ssh_key(type));
  TRY(const SshWriter file, container(parts, comment));
  std::string line =
      fmt::format("{} {}", ssh_name(type), base::encode_base64(parts.public_blob.view()));
  if (!comment.empty()) line += fmt::format(" {}", comment);
  return SshKeyPair{std::string(file_name(type)), armored(file.view()), line + "\n"};
}

Result<std::vector<SshKeyPair>> make_ssh_host_keys(std::string_view comment) {
  std::vector<SshKeyPair> pairs;
  for (const SshKeyType type :
       {SshKeyType::ed25519, SshKeyType::ecdsa_p521, SshKeyType::rsa_3072}) {
    TRY(SshKeyPair pair, make_ssh_key(type, comment));
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace slurmop::secrets
