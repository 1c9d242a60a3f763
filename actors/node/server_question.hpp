#pragma once

#include "config/node/settings.hpp"
#include "core/base/result.hpp"
#include "messages/node.pb.h"

#include <string>

namespace turnstile::node {

/// Connects to a server, says one thing, and waits for what it says to that.
/// Unlike a run it gives up when it cannot connect.
result<wire::Envelope> ask_server(const config::node_settings& settings,
                                  const wire::Hello& hello,
                                  wire::Envelope question);

/// How a server stands, for people.
std::string to_text(const wire::NodeStatus& status);

} // namespace turnstile::node
