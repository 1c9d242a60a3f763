#include "actors/node/certificates.hpp"

#include <memory>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <string>

namespace turnstile::node {

status usable(const network_terms& terms) {
  if (!terms.encrypted())
    return {};
  auto why = [] {
    const auto* reason = ERR_reason_error_string(ERR_peek_last_error());
    return std::string{reason != nullptr ? reason : "it cannot be read"};
  };
  auto wrong = [](const std::string& file, const std::string& what) {
    return fail(errc::invalid_argument, file + ": " + what);
  };
  ERR_clear_error();
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{
    SSL_CTX_new(TLS_method()), SSL_CTX_free};
  auto* ssl = context.get();
  if (SSL_CTX_use_certificate_chain_file(ssl, terms.certificate.c_str()) != 1)
    return wrong(terms.certificate, why());
  if (SSL_CTX_load_verify_locations(ssl, terms.authority.c_str(), nullptr) != 1)
    return wrong(terms.authority, why());
  std::unique_ptr<BIO, decltype(&BIO_free)> bytes{
    BIO_new_file(terms.key.c_str(), "r"), BIO_free};
  if (!bytes)
    return wrong(terms.key, why());
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{
    PEM_read_bio_PrivateKey(bytes.get(), nullptr, nullptr, nullptr),
    EVP_PKEY_free};
  if (!key)
    return wrong(terms.key, why());
  if (SSL_CTX_use_PrivateKey(ssl, key.get()) != 1
      || SSL_CTX_check_private_key(ssl) != 1)
    return wrong(terms.key, "is not the key of " + terms.certificate);
  return {};
}

} // namespace turnstile::node
