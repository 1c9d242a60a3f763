#include "actors/journal/open_journal.hpp"

#include "actors/journal/journal_file.hpp"
#include "actors/log/log_line.hpp"

#include <utility>

namespace turnstile {

result<journal_link> open_journal(caf::actor_system& system,
                                  const std::string& path,
                                  const journal_pace& pace,
                                  const journal_retention& kept) {
  const wall_clock wall{system.clock()};
  journal_file_options how;
  how.path = path;
  how.unix_now = [&clock = system.clock(), wall] {
    return wall.unix_ns(now(clock));
  };
  auto file = journal_file::open(std::move(how));
  if (!file)
    return fail(file.error());
  if (const auto& tail = (*file)->dropped(); tail.frames > 0)
    log_event(spdlog::level::warn, "journal_tail_dropped", [&](log_line& line) {
      line("frames", tail.frames)("text", to_string(tail, path));
    });
  if (auto done = (*file)->retain(kept); !done)
    return fail(done.error());
  journal_link link;
  link.first_life = (*file)->next_life();
  link.journal = spawn_journal_in_own_thread(system, std::move(*file), pace);
  return link;
}

} // namespace turnstile
