#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>

struct sqlite3_file;
struct sqlite3_vfs;

// A disk below SQLite that does what a test says.

namespace journal_tests {

/// What a disk is asked for.
enum class disk_call { open, read, write, sync, truncate };

/// One way in which a disk fails.
struct disk_fault {
  disk_call on = disk_call::write;
  int code = 0;       ///< What it answers, by SQLite's number.
  bool half = false;  ///< It writes the first half before that.
  bool loses = false; ///< A file loses what was written since its last sync.
};

/// A disk of the machine, which is told when to fail. It never waits for the
/// hardware: what has been synced is noted, and outlives `lose_power`.
///
/// There is one, for all files that are opened with its `vfs`.
class faulty_disk {
public:
  static constexpr const char* vfs = "journal-tests-faulty";

  /// Registers it with SQLite when it is first asked for.
  static faulty_disk& there_is();

  static constexpr auto always = std::numeric_limits<std::uint64_t>::max();

  /// Forgets all files, counts anew, and does not fail.
  void reset();

  /// Fails the calls from number `first` (from 0, of that kind, counted from
  /// now), so many of them.
  void fail(disk_fault how, std::uint64_t first, std::uint64_t times);

  /// From the call of any kind on whose number is `first`, nothing reaches the
  /// disk any more.
  void stop_at(std::uint64_t first);

  /// Does not fail any more.
  void heal();

  [[nodiscard]] bool has_failed() const { return has_failed_; }

  /// How many calls of the kind there were, and of all that change something.
  [[nodiscard]] std::uint64_t calls(disk_call of) const;
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

  /// The end of a machine: of what no sync has reached, chance decides sector
  /// by sector what is on the disk. Once all files are closed.
  void lose_power(std::mt19937& chance);

  // For the layer itself: whether a call fails now, and what it has done.
  const disk_fault* failing(disk_call call);
  void opened(const std::string& path);
  void synced(const std::string& path);
  void lose_unsynced(const std::string& path);
  void removed(const std::string& path);

private:
  disk_fault fault_;
  std::uint64_t first_ = 0;
  std::uint64_t times_ = 0;
  std::uint64_t stops_at_ = always;
  std::uint64_t changes_ = 0;
  bool has_failed_ = false;
  std::map<disk_call, std::uint64_t> calls_;
  std::map<std::string, std::string> synced_; ///< By path: the bytes.
};

} // namespace journal_tests
