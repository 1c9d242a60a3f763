#include "actors/agent/sha256.hpp"

#include "core/base/check.hpp"

#include <openssl/evp.h>

namespace turnstile {

std::string sha256(std::string_view bytes) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int length = 0;
  const auto done = EVP_Digest(bytes.data(), bytes.size(),
                               reinterpret_cast<unsigned char*>(digest.data()),
                               &length, EVP_sha256(), nullptr);
  TURNSTILE_CHECK(done == 1);
  digest.resize(length);
  return digest;
}

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char one : sha256(bytes)) {
    const auto byte = static_cast<unsigned char>(one);
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

} // namespace turnstile
