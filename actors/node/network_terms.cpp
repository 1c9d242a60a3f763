#include "actors/node/network_terms.hpp"

namespace turnstile::node {

network_terms network_terms_of(const config::node_settings& settings) {
  network_terms terms;
  terms.certificate = settings.tls.certificate;
  terms.key = settings.tls.key;
  terms.authority = settings.tls.authority;
  return terms;
}

} // namespace turnstile::node
