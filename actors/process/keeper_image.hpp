#pragma once

#include "actors/process/unique_fd.hpp"

namespace turnstile {

/// Opens the program of the keepers (keeper/keeper.cpp), which is a part of
/// this one, so that nothing has to be found on disk. The file is in memory
/// only and above the standard streams.
///
/// Throws `std::system_error` if the system has no descriptor left, or no
/// files in memory.
unique_fd open_keeper_image();

} // namespace turnstile
