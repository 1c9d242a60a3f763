#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace turnstile::node {

/// Makes writes and reads of streams that were closed at the start fail, where
/// a file opened later would have taken their numbers; and a reader that goes
/// away, a failed write instead of a signal. Call it first in `main`.
void secure_standard_streams();

/// Writes all of `text`, whatever interrupts it. @returns false with `errno`
bool write_whole(int fd, std::string_view text);

/// What a stream can show.
struct stream_look {
  /// Of a terminal that can move its cursor. What is exactly as wide still
  /// fits into one line. Nothing: write whole lines, however long.
  std::optional<std::size_t> columns;
  bool colours = false;
};

/// Asks the stream, and the environment: `TERM=dumb` is no terminal for us,
/// and `NO_COLOR`, unless empty, means none (no-color.org).
stream_look look_of(int fd);

} // namespace turnstile::node
