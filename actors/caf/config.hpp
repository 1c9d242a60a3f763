#pragma once

#include "actors/caf/type_ids.hpp"

#include <caf/actor_system_config.hpp>

#include <string>
#include <string_view>

#if !TURNSTILE_OLD_CAF
#include <caf/init_global_meta_objects.hpp>
#endif

namespace turnstile {

struct network_terms; // network.hpp

namespace detail {

/// Makes known what CAF and the seam themselves send. CAF 1.x wants that done
/// before a configuration is constructed.
void register_seam_types();

template <class... Blocks>
struct types_first {
  types_first() {
    register_seam_types();
#if !TURNSTILE_OLD_CAF
    (caf::init_global_meta_objects<Blocks>(), ...);
#endif
  }
};

} // namespace detail

/// CAF's configuration with the defaults that suit us: the scheduler policy
/// `sharing`, which halves a round trip between nodes. It knows the `errc`s.
class base_config : public caf::actor_system_config {
public:
  base_config();

  /// Loads CAF's I/O module, by default with heartbeats every second, a peer
  /// given up after five, and direct connections to actors met through a third
  /// node.
  void use_network();
  void use_network(const network_terms& terms);

  /// Returns what an option of CAF's own is called in this version:
  /// `option("scheduler.max-threads")`. 1.x keeps them below `caf.`.
  static std::string option(std::string_view name);

  /// Returns whether `parse` met `--help` and printed it.
  [[nodiscard]] bool wants_help() const;
};

/// A configuration that knows the types of the given type-id blocks:
/// `system_config<caf::id_block::turnstile>`.
template <class... Blocks>
class system_config : private detail::types_first<Blocks...>,
                      public base_config {
public:
  system_config() {
#if TURNSTILE_OLD_CAF
    (add_message_types<Blocks>(), ...);
#endif
  }
};

} // namespace turnstile
