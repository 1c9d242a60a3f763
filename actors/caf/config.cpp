#include "actors/caf/config.hpp"

#include "actors/caf/network.hpp"

#include <caf/message.hpp>

namespace turnstile {

void detail::register_seam_types() {
#if !TURNSTILE_OLD_CAF
  caf::core::init_global_meta_objects();
  detail::register_network_types();
  caf::init_global_meta_objects<caf::id_block::turnstile_seam>();
#endif
}

base_config::base_config() {
#if TURNSTILE_OLD_CAF
  add_message_types<caf::id_block::turnstile_seam>();
  // CAF's own add_error_category<errc>() does not compile in this version.
  add_error_category(
    caf::detail::error_factory<errc>::category,
    [](std::uint8_t number, caf::atom_value, const caf::message& context) {
      std::string text{to_string(static_cast<errc>(number))};
      if (context.match_elements<std::string>())
        return text + ": " + context.get_as<std::string>(0);
      return text;
    });
  set(option("scheduler.policy"), caf::atom("sharing"));
#else
  set(option("scheduler.policy"), "sharing");
#endif
}

void base_config::use_network() {
  use_network(network_terms{});
}

void base_config::use_network(const network_terms& terms) {
  turnstile::use_network(*this, terms);
}

std::string base_config::option(std::string_view name) {
  return (TURNSTILE_OLD_CAF ? "" : "caf.") + std::string{name};
}

bool base_config::wants_help() const {
#if TURNSTILE_OLD_CAF
  return cli_helptext_printed;
#else
  return helptext_printed();
#endif
}

} // namespace turnstile
