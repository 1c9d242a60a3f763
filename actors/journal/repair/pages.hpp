#pragma once

#include "actors/journal/wal_check.hpp"
#include "actors/process/unique_fd.hpp"
#include "core/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace turnstile::repair {

using page_bytes = std::vector<unsigned char>;

/// The pages of a journal that SQLite may refuse to open: each as its log has
/// it, else as its file has it, if that can be proven to be what was written.
///
/// Only reads. Pages are numbered from 1.
///
/// The format is SQLite's, https://www.sqlite.org/fileformat2.html, sections
/// 1.3 (the header), 1.5 (free pages) and 4 (the log).
class journal_pages {
public:
  /// `storage_failed` if it cannot be read, `invalid_argument` if it is no
  /// journal, or that of a newer version.
  static result<journal_pages> open(const std::string& path);

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

  /// The bytes of a page that are SQLite's.
  [[nodiscard]] std::size_t usable() const noexcept {
    return page_size_ - reserved_;
  }

  /// Reads a page, if it is what was written.
  std::optional<page_bytes> read(std::uint32_t number) const;

  /// Reads a page whatever has happened to it; what is missing is zeros.
  page_bytes read_unproven(std::uint32_t number) const;

  /// Whether its newest state is lost, and what is read is of before.
  [[nodiscard]] bool is_older(std::uint32_t number) const {
    return older_.contains(number);
  }

  /// Whether it holds nothing.
  [[nodiscard]] bool is_free(std::uint32_t number) const {
    return free_.contains(number);
  }

  /// Frames of the log that are not what was written, and what they seem to
  /// have been of.
  [[nodiscard]] const std::vector<wal_page>& bad_frames() const noexcept {
    return bad_frames_;
  }

  [[nodiscard]] bool log_header_is_whole() const noexcept {
    return log_.header_is_whole;
  }

private:
  journal_pages(std::string path, unique_fd file)
    : path_(std::move(path)), file_(std::move(file)) {}

  status read_log();
  status learn();
  void count_pages(const page_bytes& header, bool is_whole);
  [[nodiscard]] bool any_guarded_page() const;
  void find_free_pages();
  [[nodiscard]] bool read_file(page_bytes& into, std::uint32_t number) const;

  std::string path_;
  unique_fd file_;
  unique_fd log_file_;
  wal_rest log_;
  std::size_t page_size_ = 4096;
  std::size_t reserved_ = 0;
  std::uint32_t count_ = 0;
  std::unordered_map<std::uint32_t, std::int64_t> in_log_; ///< Where there.
  std::unordered_set<std::uint32_t> older_;
  std::unordered_set<std::uint32_t> free_;
  std::vector<wal_page> bad_frames_;
};

/// The number that begins at `at`, big endian. Behind the end are zeros.
std::uint32_t number_at(const page_bytes& bytes, std::size_t at, int size);

} // namespace turnstile::repair
