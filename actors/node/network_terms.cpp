#include "actors/node/network_terms.hpp"

#include "actors/node/certificates.hpp"

namespace turnstile::node {

result<network_terms> network_terms_of(const config::node_settings& settings) {
  if (auto open = config::may_open(settings); !open)
    return fail(open.error());
  network_terms terms;
  terms.certificate = settings.tls.certificate;
  terms.key = settings.tls.key;
  terms.authority = settings.tls.authority;
  if (auto good = usable(terms); !good)
    return fail(good.error());
  return terms;
}

} // namespace turnstile::node
