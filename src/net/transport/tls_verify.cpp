// SPDX-License-Identifier: Apache-2.0
#include "net/transport/tls_verify.h"

#include "base/quote.h"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <arpa/inet.h>
#include <array>
#include <ctime>
#include <memory>
#include <vector>

namespace net::inline transport {
namespace {

using base::Error;
using base::Kind;
using base::Result;

std::string_view bytes_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string address_text(std::string_view bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
  if (bytes.size() != 4 && bytes.size() != 16) return "an address of unknown form";
  inet_ntop(family, bytes.data(), text.data(), text.size());
  return text.data();
}

// "a.example, *.b.example, 10.0.0.1"
std::string names_in(const X509* certificate) {
  constexpr std::size_t kShown = 8;
  struct Free {
    void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
  };
  const std::unique_ptr<GENERAL_NAMES, Free> names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> found;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) found.push_back(base::quoted(bytes_of(name->d.dNSName)));
    if (name->type == GEN_IPADD) found.push_back(address_text(bytes_of(name->d.iPAddress)));
  }
  if (found.empty()) return "no name at all";
  if (found.size() > kShown) {
    found.resize(kShown);
    found.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

std::string day_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "an unknown date";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC",
                     parts.tm_year + 1900,
                     parts.tm_mon + 1,
                     parts.tm_mday,
                     parts.tm_hour,
                     parts.tm_min);
}

std::string common_name(const X509_NAME* name) {
  std::array<char, 128> text{};
  const int length = X509_NAME_get_text_by_NID(name, NID_commonName, text.data(), text.size());
  return length > 0 ? base::quoted(text.data()) : "an authority without a name";
}

std::string problem_text(X509_STORE_CTX* verification, const std::string& host) {
  const X509* certificate = X509_STORE_CTX_get_current_cert(verification);
  const int problem = X509_STORE_CTX_get_error(verification);
  if (certificate == nullptr) return X509_verify_cert_error_string(problem);
  switch (problem) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return fmt::format(
          "its certificate is for {}, not for {}", names_in(certificate), base::quoted(host));
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return fmt::format("its certificate expired on {}", day_of(X509_get0_notAfter(certificate)));
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return fmt::format("its certificate is not valid before {}",
                         day_of(X509_get0_notBefore(certificate)));
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return fmt::format("its certificate is signed by {}, which is not a trusted authority",
                         common_name(X509_get_issuer_name(certificate)));
    default:
      return fmt::format("its certificate is not accepted: {}",
                         X509_verify_cert_error_string(problem));
  }
}

// The index of the PeerCheck in an SSL object.
int place() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

int note_problem(int is_fine, X509_STORE_CTX* verification) {
  const auto* ssl = static_cast<SSL*>(
      X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* check = static_cast<PeerCheck*>(SSL_get_ex_data(ssl, place()));
  if (is_fine == 0 && check->problem.empty())
    check->problem = problem_text(verification, check->host);
  return is_fine;
}

}  // namespace

Result<void> expect_peer(SSL* ssl, PeerCheck& check) {
  const Error failed(Kind::unreachable, "OpenSSL does not accept the server's name");
  X509_VERIFY_PARAM* rules = SSL_get0_param(ssl);
  const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(rules, check.host.c_str()) == 1;
  if (!is_address && SSL_set_tlsext_host_name(ssl, check.host.c_str()) != 1) return failed;
  if (check.insecure) {
    SSL_set_verify(ssl, SSL_VERIFY_NONE, nullptr);
    return {};
  }
  if (!is_address && X509_VERIFY_PARAM_set1_host(rules, check.host.c_str(), check.host.size()) != 1)
    return failed;
  X509_VERIFY_PARAM_set_hostflags(
      rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  if (SSL_set_ex_data(ssl, place(), &check) != 1) return failed;
  SSL_set_verify(ssl, SSL_VERIFY_PEER, note_problem);
  return {};
}

}  // namespace net::inline transport
