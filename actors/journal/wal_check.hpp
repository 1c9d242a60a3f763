#pragma once

#include "actors/journal/ownership.hpp"
#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace turnstile {

/// What lies at the end of a write-ahead log behind its last commit: a commit
/// that its process did not finish, or one that failed. SQLite reads around it.
struct wal_tail {
  std::uint64_t first = 0;  ///< The first frame of it, from 1.
  std::uint64_t frames = 0; ///< 0: nothing is there.
};

/// Tells what a crash has left at the end of the log beside the database
/// `journal` from what a disk has done to it. SQLite cannot: it stops at the
/// first frame whose checksum is wrong, and takes what was committed in it and
/// after it for never written. That is `journal_damaged` here, with the frame.
///
/// `vfs` names the layer below, as in `journal_file_options`. Reads the log
/// once, from its start to its end; where there is none nothing is wrong.
///
/// The format is SQLite's, https://www.sqlite.org/fileformat2.html, section 4,
/// "The Write-Ahead Log"; all numbers are big endian:
///
///     header  0 magic | 4 version | 8 page size | 12 checkpoint |
///             16 salts | 24 checksum of 0..23                    32 bytes
///     frame   0 page | 4 pages of the database after a commit, else 0 |
///             8 salts of the header | 16 checksum                24 bytes
///             and the page
///
/// A frame's checksum goes on from that of the frame before, over its first 8
/// bytes and its page: so frames prove each other. A log that is used again
/// from its start has new salts; frames with others are of before.
///
/// A commit is synced before the next one is written, and one that failed is
/// written over. So behind the first wrong frame a crash leaves at most one
/// commit in a chain of frames that prove each other. Two in a chain were
/// durable, and so was what is wrong before them.
result<wal_tail> read_wal(const std::string& journal,
                          const std::string& vfs = {});

/// The same, if nobody owns the journal. A log that is being written has no
/// end that could be judged.
result<wal_tail> check_wal(const std::string& journal,
                           const ownership_file& owner,
                           const std::string& vfs = {});

/// A page in a log, as a repair looks for it.
struct wal_page {
  std::uint64_t frame = 0;   ///< From 1.
  std::uint32_t page = 0;    ///< Which of the database; not to be trusted if
                             ///< the frame is wrong.
  std::uint32_t pages = 0;   ///< Of the database after its commit, else 0.
  std::int64_t bytes_at = 0; ///< Where in the log its bytes begin.
  bool is_whole = false;     ///< It is what was written.
};

/// What can be had of a log, whatever has happened to it: all frames of
/// commits that are not behind the last whole one, in their order. If the log's
/// header is wrong, it is guessed.
struct wal_rest {
  std::int64_t page_size = 0; ///< 0: there is no log.
  bool header_is_whole = true;
  std::vector<wal_page> frames;
};
result<wal_rest> salvage_wal(const std::string& journal);

/// "2 frames of an unfinished commit at the end of FILE-wal were dropped".
std::string to_string(const wal_tail& tail, const std::string& journal);

/// Says that so many acknowledged facts are missing, and where they were.
std::string missing_text(std::uint64_t facts, const wal_tail& tail,
                         const std::string& journal);

} // namespace turnstile
