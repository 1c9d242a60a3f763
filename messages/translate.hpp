// All translations between core types and what travels: `to_wire(value)` never
// fails; `from_wire(message)` refuses what is missing or unknown with
// `errc::invalid_argument`, naming the field.
#pragma once

#include "messages/translate/backend_error.hpp"
#include "messages/translate/backend_terms.hpp"
#include "messages/translate/capabilities.hpp"
#include "messages/translate/consensus.hpp"
#include "messages/translate/deadline.hpp"
#include "messages/translate/drop_reason.hpp"
#include "messages/translate/failure.hpp"
#include "messages/translate/ids.hpp"
#include "messages/translate/lifecycle.hpp"
#include "messages/translate/limits.hpp"
#include "messages/translate/report.hpp"
