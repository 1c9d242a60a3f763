#pragma once

#include "core/base/result.hpp"
#include "messages/node.pb.h"

#include <cstdint>
#include <string>

namespace turnstile {

/// The protocol that this version speaks between nodes. It changes when an
/// older peer would misunderstand, not when it merely lacks something.
constexpr std::uint32_t node_protocol = 1;

/// Begins an envelope of ours: what is missing is its body.
wire::Envelope envelope_of(std::uint64_t link);

/// Says why an envelope cannot be believed: `protocol_unknown`, or
/// `invalid_argument` if there is no body that this version knows.
status readable(const wire::Envelope& letter);

/// Makes the envelope that ends a link.
wire::Envelope goodbye_of(std::uint64_t link, const failure& why);

/// Why a link has ended that this envelope has ended; nothing: all was done.
std::optional<failure> reason_in(const wire::Envelope& goodbye);

/// What a node that says `Hello` must say for it to make sense, or what is
/// wrong with it.
status valid_hello(const wire::Envelope& letter);

} // namespace turnstile
