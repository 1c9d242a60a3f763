#include "actors/journal/page_check.hpp"

#include "actors/journal/file_schema.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <sqlite3.h>
#include <utility>
#include <vector>

namespace turnstile {

namespace {

thread_local std::optional<std::uint64_t> bad_page;

/// FNV-1a over eight bytes at a time, and over where they belong: a page in
/// another's place is wrong, too.
std::uint64_t checksum(const unsigned char* page, std::size_t size,
                       std::uint64_t place) {
  auto hash = 0xCBF29CE484222325U ^ place;
  for (std::size_t i = 0; i + 8 <= size; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, page + i, 8);
    hash = (hash ^ word) * 0x100000001B3U;
    hash ^= hash >> 32;
  }
  return hash;
}

/// A file of ours, in SQLite's memory: first what SQLite sees, then the file
/// below.
struct checked_file {
  sqlite3_file base;
  bool is_database;
  std::uint32_t page_size; ///< 0: unguarded, or not known yet.
  sqlite3_file below;      ///< Goes on behind the end.
};

checked_file& ours(sqlite3_file* file) {
  return *reinterpret_cast<checked_file*>(file);
}

sqlite3_file* below(sqlite3_file* file) {
  return &ours(file).below;
}

/// Learns from the first page how large pages are, and whether they are
/// guarded. Those of a journal are, even if a disk has changed that byte.
void learn(checked_file& file, const unsigned char* header) {
  if (std::memcmp(header, "SQLite format 3", 16) != 0)
    return;
  const auto size = (std::uint32_t{header[16]} << 8) | header[17];
  const auto is_journal = header[68] == (journal_application_id >> 24 & 0xff)
                          && header[69] == (journal_application_id >> 16 & 0xff)
                          && header[70] == (journal_application_id >> 8 & 0xff)
                          && header[71] == (journal_application_id & 0xff);
  const auto is_guarded = header[20] == reserved_bytes || is_journal;
  file.page_size = is_guarded ? (size == 1 ? 65536 : size) : 0;
}

bool is_page(const checked_file& file, int amount, sqlite3_int64 offset) {
  return file.page_size > 0
         && static_cast<std::uint32_t>(amount) == file.page_size
         && offset % amount == 0;
}

/// Whether a file ends before or within a page. SQLite takes what is missing
/// for zeros. An empty file has no first page, and that is no fault.
bool is_cut_off(sqlite3_file* file, sqlite3_int64 offset) {
  sqlite3_int64 size = 0;
  return offset > 0
         || below(file)->pMethods->xFileSize(below(file), &size) != SQLITE_OK
         || size > 0;
}

int note_bad_page(sqlite3_int64 offset, int amount) {
  if (!bad_page)
    bad_page = static_cast<std::uint64_t>(offset / amount) + 1;
  return SQLITE_IOERR_DATA;
}

int close_file(sqlite3_file* file) {
  return below(file)->pMethods->xClose(below(file));
}

int read_file(sqlite3_file* file, void* into, int amount,
              sqlite3_int64 offset) {
  const auto done =
    below(file)->pMethods->xRead(below(file), into, amount, offset);
  auto& mine = ours(file);
  if (done == SQLITE_IOERR_SHORT_READ && mine.is_database
      && is_page(mine, amount, offset) && is_cut_off(file, offset))
    return note_bad_page(offset, amount);
  if (done != SQLITE_OK || !mine.is_database)
    return done;
  const auto* bytes = static_cast<const unsigned char*>(into);
  if (offset == 0 && amount >= 100)
    learn(mine, bytes);
  if (!is_page(mine, amount, offset))
    return done;
  return is_page_whole(bytes, static_cast<std::size_t>(amount),
                       static_cast<std::uint64_t>(offset / amount) + 1)
           ? done
           : note_bad_page(offset, amount);
}

int write_file(sqlite3_file* file, const void* from, int amount,
               sqlite3_int64 offset) {
  auto& mine = ours(file);
  auto* methods = below(file)->pMethods;
  const auto* bytes = static_cast<const unsigned char*>(from);
  if (mine.is_database && offset == 0 && amount >= 100)
    learn(mine, bytes);
  if (!mine.is_database || !is_page(mine, amount, offset))
    return methods->xWrite(below(file), from, amount, offset);
  const auto size = static_cast<std::size_t>(amount) - reserved_bytes;
  thread_local std::vector<unsigned char> page;
  page.assign(bytes, bytes + amount);
  const auto sum =
    checksum(bytes, size, static_cast<std::uint64_t>(offset / amount));
  std::memcpy(page.data() + size, &sum, reserved_bytes);
  return methods->xWrite(below(file), page.data(), amount, offset);
}

// What follows passes on what SQLite says.

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  return below(file)->pMethods->xTruncate(below(file), size);
}
int sync_file(sqlite3_file* file, int flags) {
  return below(file)->pMethods->xSync(below(file), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return below(file)->pMethods->xFileSize(below(file), size);
}
int lock_file(sqlite3_file* file, int lock) {
  return below(file)->pMethods->xLock(below(file), lock);
}
int unlock_file(sqlite3_file* file, int lock) {
  return below(file)->pMethods->xUnlock(below(file), lock);
}
int check_lock(sqlite3_file* file, int* reserved) {
  return below(file)->pMethods->xCheckReservedLock(below(file), reserved);
}
int control_file(sqlite3_file* file, int what, void* arg) {
  return below(file)->pMethods->xFileControl(below(file), what, arg);
}
int sector_size(sqlite3_file* file) {
  return below(file)->pMethods->xSectorSize(below(file));
}
int traits_of_device(sqlite3_file* file) {
  return below(file)->pMethods->xDeviceCharacteristics(below(file));
}
int map_memory(sqlite3_file* file, int page, int size, int extend,
               void volatile** into) {
  return below(file)->pMethods->xShmMap(below(file), page, size, extend, into);
}
int lock_memory(sqlite3_file* file, int offset, int count, int flags) {
  return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}
void fence_memory(sqlite3_file* file) {
  below(file)->pMethods->xShmBarrier(below(file));
}
int unmap_memory(sqlite3_file* file, int remove) {
  return below(file)->pMethods->xShmUnmap(below(file), remove);
}

// Version 2: shared memory, but no memory-mapped pages, which nobody would
// check.
const sqlite3_io_methods methods = {2,
                                    close_file,
                                    read_file,
                                    write_file,
                                    truncate_file,
                                    sync_file,
                                    file_size,
                                    lock_file,
                                    unlock_file,
                                    check_lock,
                                    control_file,
                                    sector_size,
                                    traits_of_device,
                                    map_memory,
                                    lock_memory,
                                    fence_memory,
                                    unmap_memory,
                                    nullptr,
                                    nullptr};

sqlite3_vfs* lower(sqlite3_vfs* vfs) {
  return static_cast<sqlite3_vfs*>(vfs->pAppData);
}

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
              int* out_flags) {
  auto& mine = ours(file);
  mine.base.pMethods = nullptr;
  mine.is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  mine.page_size = 0;
  const auto done =
    lower(vfs)->xOpen(lower(vfs), name, &mine.below, flags, out_flags);
  if (mine.below.pMethods != nullptr)
    mine.base.pMethods = &methods;
  return done;
}

int delete_file(sqlite3_vfs* vfs, const char* name, int sync) {
  return lower(vfs)->xDelete(lower(vfs), name, sync);
}
int access_file(sqlite3_vfs* vfs, const char* name, int flags, int* may) {
  return lower(vfs)->xAccess(lower(vfs), name, flags, may);
}
int full_name(sqlite3_vfs* vfs, const char* name, int size, char* into) {
  return lower(vfs)->xFullPathname(lower(vfs), name, size, into);
}
int random_bytes(sqlite3_vfs* vfs, int size, char* into) {
  return lower(vfs)->xRandomness(lower(vfs), size, into);
}
int sleep_for(sqlite3_vfs* vfs, int micros) {
  return lower(vfs)->xSleep(lower(vfs), micros);
}
int time_now(sqlite3_vfs* vfs, double* into) {
  return lower(vfs)->xCurrentTime(lower(vfs), into);
}
int time_now_ms(sqlite3_vfs* vfs, sqlite3_int64* into) {
  return lower(vfs)->xCurrentTimeInt64(lower(vfs), into);
}
int last_error(sqlite3_vfs* vfs, int size, char* into) {
  return lower(vfs)->xGetLastError(lower(vfs), size, into);
}

} // namespace

std::string page_check_vfs(const std::string& below) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<std::pair<std::string,
                                                         sqlite3_vfs>>>
    known; // for as long as the process lives, as SQLite wants it
  std::lock_guard guard{mutex};
  auto& one = known[below];
  if (one)
    return one->first;
  auto* under = sqlite3_vfs_find(below.empty() ? nullptr : below.c_str());
  one = std::make_unique<std::pair<std::string, sqlite3_vfs>>();
  one->first = "turnstile-checked-" + below;
  auto& vfs = one->second;
  vfs = {};
  vfs.iVersion = 2;
  vfs.szOsFile =
    static_cast<int>(sizeof(checked_file)) + (under ? under->szOsFile : 0);
  vfs.mxPathname = under ? under->mxPathname : 512;
  vfs.zName = one->first.c_str();
  vfs.pAppData = under;
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  vfs.xAccess = access_file;
  vfs.xFullPathname = full_name;
  vfs.xRandomness = random_bytes;
  vfs.xSleep = sleep_for;
  vfs.xCurrentTime = time_now;
  vfs.xGetLastError = last_error;
  vfs.xCurrentTimeInt64 = time_now_ms;
  sqlite3_vfs_register(&vfs, 0);
  return one->first;
}

bool is_page_whole(const unsigned char* page, std::size_t size,
                   std::uint64_t number) {
  std::uint64_t kept = 0;
  std::memcpy(&kept, page + size - reserved_bytes, reserved_bytes);
  return kept == checksum(page, size - reserved_bytes, number - 1);
}

std::optional<std::uint64_t> take_bad_page() noexcept {
  return std::exchange(bad_page, std::nullopt);
}

} // namespace turnstile
