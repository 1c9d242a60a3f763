#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace turnstile {

/// Registers, once per process, a layer below SQLite that guards the pages of a
/// database against what disks do to them, and returns its name for
/// `SQLite::Database`. `below` names the layer under it; empty: the system's.
///
/// The last eight bytes of every page hold a checksum of the rest, which is
/// made when a page is written to the database file and checked when one is
/// read from there: a page that is not what was written is an error
/// (SQLITE_IOERR_DATA), never an answer. What lies in the write-ahead log is
/// guarded by SQLite itself.
///
///     page of 4096   0 ........ 4087 | 4088 ........ 4095
///                    SQLite's         | FNV-1a of it and its place, 64 bits
///
/// Databases without these eight bytes (`reserved_bytes`) pass unguarded.
std::string page_check_vfs(const std::string& below = {});

/// The bytes at the end of a page that SQLite leaves to the layer.
inline constexpr int reserved_bytes = 8;

/// Whether a page of a database file is what was written there, by its last
/// eight bytes. `number` is its own, from 1.
bool is_page_whole(const unsigned char* page, std::size_t size,
                   std::uint64_t number);

/// The number of the first bad page that this thread has met since it last
/// asked, from 1; nothing: none.
std::optional<std::uint64_t> take_bad_page() noexcept;

} // namespace turnstile
