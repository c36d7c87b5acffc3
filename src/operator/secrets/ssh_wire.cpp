// SPDX-License-Identifier: Apache-2.0
#include "operator/secrets/ssh_wire.h"

namespace slurmop::secrets {

void SshWriter::raw(std::string_view bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void SshWriter::uint32(std::uint32_t number) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    bytes_.push_back(static_cast<char>((number >> shift) & 0xFFU));
  }
}

void SshWriter::string(std::string_view bytes) {
  uint32(static_cast<std::uint32_t>(bytes.size()));
  raw(bytes);
}

void SshWriter::mpint(const BIGNUM* number) {
  // A set highest bit would mean a negative number, so a zero byte goes before it.
  const int bits = BN_num_bits(number);
  const std::size_t lead = bits > 0 && bits % 8 == 0 ? 1 : 0;
  WipedBytes bytes(lead + static_cast<std::size_t>(BN_num_bytes(number)));
  BN_bn2bin(number, reinterpret_cast<unsigned char*>(bytes.data() + lead));
  string({bytes.data(), bytes.size()});
}

}  // namespace slurmop::secrets
