#pragma once

// Everything an actor of ours needs from CAF, in the dialect of CAF 1.x,
// whichever version we build against. Without caf/io: see network.hpp.

#include "actors/caf/answer.hpp"
#include "actors/caf/ask.hpp"
#include "actors/caf/clock.hpp"
#include "actors/caf/config.hpp"
#include "actors/caf/error.hpp"
#include "actors/caf/forward.hpp"
#include "actors/caf/inspect_protobuf.hpp"
#include "actors/caf/interface.hpp"
#include "actors/caf/mail.hpp"
#include "actors/caf/monitor.hpp"
#include "actors/caf/owed_answer.hpp"
#include "actors/caf/spawn.hpp"
#include "actors/caf/type_ids.hpp"
#include "actors/caf/wants_answer.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/message.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/sec.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
