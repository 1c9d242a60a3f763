#pragma once

#include "core/consensus/command.hpp"
#include "core/consensus/frame.hpp"
#include "core/consensus/turn_opening.hpp"
#include "messages/consensus.pb.h"

#include <cstdint>
#include <string_view>

namespace turnstile {

/// The format of what ranks say beside their frames.
constexpr std::uint32_t rank_format = 1;

/// Refuses what a newer or an older rank says:
/// "TurnOpened.format: 2 is not spoken here, but 1".
status check_format(std::uint32_t spoken, std::string_view message);

wire::CommandKind to_wire(command_kind kind) noexcept;
result<command_kind> from_wire(wire::CommandKind number,
                               std::string_view field = "CommandKind");

/// A frame goes and comes as it is, whatever is in it: what differs between
/// ranks is theirs to name.
wire::Frame to_wire(const frame& word);
frame from_wire(const wire::Frame& message);

/// The terms of a command, without what comes with it. Its digest does not
/// travel: `from_wire` makes it of the message's works and state.
wire::RankCommand to_wire(const command_terms& terms);
result<command_terms> from_wire(const wire::RankCommand& message,
                                std::string_view field = "RankCommand");

/// An opening without its commands.
wire::TurnOpened to_wire(const turn_opening& opened);
result<turn_opening> from_wire(const wire::TurnOpened& message);

} // namespace turnstile
