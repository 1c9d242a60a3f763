#include "tests/actors/journal/faulty_disk.hpp"

#include "tests/actors/journal/journal_files.hpp"

#include <algorithm>
#include <filesystem>
#include <sqlite3.h>

namespace journal_tests {

namespace {

/// What SQLite sees, then the file below.
struct faulty_file {
  sqlite3_file base;
  const char* path; ///< SQLite keeps it for as long as the file is open.
  sqlite3_file below;
};

faulty_file& ours(sqlite3_file* file) {
  return *reinterpret_cast<faulty_file*>(file);
}

sqlite3_file* below(sqlite3_file* file) {
  return &ours(file).below;
}

const sqlite3_io_methods* methods_below(sqlite3_file* file) {
  return below(file)->pMethods;
}

sqlite3_vfs* lower(sqlite3_vfs* vfs) {
  return static_cast<sqlite3_vfs*>(vfs->pAppData);
}

int read_file(sqlite3_file* file, void* into, int amount,
              sqlite3_int64 offset) {
  if (const auto* fault = faulty_disk::there_is().failing(disk_call::read))
    return fault->code;
  return methods_below(file)->xRead(below(file), into, amount, offset);
}

int write_file(sqlite3_file* file, const void* from, int amount,
               sqlite3_int64 offset) {
  if (const auto* fault = faulty_disk::there_is().failing(disk_call::write)) {
    if (fault->half)
      methods_below(file)->xWrite(below(file), from, amount / 2, offset);
    return fault->code;
  }
  return methods_below(file)->xWrite(below(file), from, amount, offset);
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (const auto* fault = faulty_disk::there_is().failing(disk_call::truncate))
    return fault->code;
  return methods_below(file)->xTruncate(below(file), size);
}

int sync_file(sqlite3_file* file, int) {
  auto& disk = faulty_disk::there_is();
  if (const auto* fault = disk.failing(disk_call::sync)) {
    if (fault->loses)
      disk.lose_unsynced(ours(file).path);
    return fault->code;
  }
  disk.synced(ours(file).path);
  return SQLITE_OK;
}

/// What a file answers to, over one that answers to `those`.
sqlite3_io_methods methods_over(const sqlite3_io_methods& those) {
  sqlite3_io_methods made{};
  made.iVersion = std::min(those.iVersion, 2); // no mapped pages
  made.xClose = [](sqlite3_file* file) {
    return methods_below(file)->xClose(below(file));
  };
  made.xRead = read_file;
  made.xWrite = write_file;
  made.xTruncate = truncate_file;
  made.xSync = sync_file;
  made.xFileSize = [](sqlite3_file* file, sqlite3_int64* size) {
    return methods_below(file)->xFileSize(below(file), size);
  };
  made.xLock = [](sqlite3_file* file, int lock) {
    return methods_below(file)->xLock(below(file), lock);
  };
  made.xUnlock = [](sqlite3_file* file, int lock) {
    return methods_below(file)->xUnlock(below(file), lock);
  };
  made.xCheckReservedLock = [](sqlite3_file* file, int* reserved) {
    return methods_below(file)->xCheckReservedLock(below(file), reserved);
  };
  made.xFileControl = [](sqlite3_file* file, int what, void* arg) {
    return methods_below(file)->xFileControl(below(file), what, arg);
  };
  made.xSectorSize = [](sqlite3_file* file) {
    return methods_below(file)->xSectorSize(below(file));
  };
  made.xDeviceCharacteristics = [](sqlite3_file* file) {
    return methods_below(file)->xDeviceCharacteristics(below(file));
  };
  made.xShmMap = [](sqlite3_file* file, int page, int size, int extend,
                    void volatile** into) {
    return methods_below(file)->xShmMap(below(file), page, size, extend, into);
  };
  made.xShmLock = [](sqlite3_file* file, int offset, int count, int flags) {
    return methods_below(file)->xShmLock(below(file), offset, count, flags);
  };
  made.xShmBarrier = [](sqlite3_file* file) {
    methods_below(file)->xShmBarrier(below(file));
  };
  made.xShmUnmap = [](sqlite3_file* file, int remove) {
    return methods_below(file)->xShmUnmap(below(file), remove);
  };
  return made;
}

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
              int* out_flags) {
  auto& mine = ours(file);
  mine.base.pMethods = nullptr;
  mine.path = name;
  auto& disk = faulty_disk::there_is();
  if (const auto* fault = disk.failing(disk_call::open))
    return fault->code;
  const auto done =
    lower(vfs)->xOpen(lower(vfs), name, &mine.below, flags, out_flags);
  if (done != SQLITE_OK)
    return done;
  static const auto methods = methods_over(*mine.below.pMethods);
  mine.base.pMethods = &methods;
  if (name != nullptr)
    disk.opened(name);
  return done;
}

int delete_file(sqlite3_vfs* vfs, const char* name, int) {
  auto& disk = faulty_disk::there_is();
  if (const auto* fault = disk.failing(disk_call::truncate))
    return fault->code;
  disk.removed(name);
  return lower(vfs)->xDelete(lower(vfs), name, 0);
}

} // namespace

faulty_disk& faulty_disk::there_is() {
  static faulty_disk disk;
  static auto layer = [] {
    auto* system = sqlite3_vfs_find(nullptr);
    auto made = *system;
    made.szOsFile = static_cast<int>(sizeof(faulty_file)) + system->szOsFile;
    made.zName = vfs;
    made.pNext = nullptr;
    made.pAppData = system;
    made.xOpen = open_file;
    made.xDelete = delete_file;
    return made;
  }();
  static const auto registered = sqlite3_vfs_register(&layer, 0);
  static_cast<void>(registered);
  return disk;
}

void faulty_disk::reset() {
  *this = {};
}

void faulty_disk::fail(disk_fault how, std::uint64_t first,
                       std::uint64_t times) {
  fault_ = how;
  first_ = calls_[how.on] + first;
  times_ = times;
  has_failed_ = false;
}

void faulty_disk::stop_at(std::uint64_t first) {
  stops_at_ = changes_ + first;
}

void faulty_disk::heal() {
  times_ = 0;
  stops_at_ = always;
}

std::uint64_t faulty_disk::calls(disk_call of) const {
  const auto known = calls_.find(of);
  return known == calls_.end() ? 0 : known->second;
}

const disk_fault* faulty_disk::failing(disk_call call) {
  static const disk_fault gone{disk_call::write, SQLITE_IOERR};
  const auto number = calls_[call]++;
  if (changes_ >= stops_at_)
    return &gone;
  if (call != disk_call::read && call != disk_call::open
      && changes_++ == stops_at_)
    return &gone;
  if (call != fault_.on || number < first_ || number - first_ >= times_)
    return nullptr;
  has_failed_ = true;
  return &fault_;
}

void faulty_disk::opened(const std::string& path) {
  if (!synced_.contains(path))
    synced(path);
}

void faulty_disk::synced(const std::string& path) {
  synced_[path] = bytes_of(path);
}

void faulty_disk::lose_unsynced(const std::string& path) {
  put_bytes(path, synced_[path]);
}

void faulty_disk::removed(const std::string& path) {
  synced_.erase(path);
}

void faulty_disk::lose_power(std::mt19937& chance) {
  constexpr std::size_t sector = 512;
  for (const auto& [path, synced] : synced_) {
    if (!std::filesystem::exists(path))
      continue;
    const auto written = bytes_of(path);
    std::string left(chance() % 2 == 0 ? written.size() : synced.size(), '\0');
    for (std::size_t at = 0; at < left.size(); at += sector) {
      // What lies behind the end of both stays zero, as on a disk.
      const auto& from =
        at < written.size() && chance() % 2 == 0 ? written : synced;
      const auto end = std::min({at + sector, left.size(), from.size()});
      for (auto i = at; i < end; ++i)
        left[i] = from[i];
    }
    put_bytes(path, left);
    std::filesystem::remove(path + "-shm");
  }
  reset();
}

} // namespace journal_tests
