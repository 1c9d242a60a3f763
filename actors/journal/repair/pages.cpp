#include "actors/journal/repair/pages.hpp"

#include "actors/journal/file_schema.hpp"
#include "actors/journal/page_check.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace turnstile::repair {

namespace {

// Where things stand in the header of a database.
constexpr std::size_t header_size = 100;
constexpr std::size_t page_size_at = 16;
constexpr std::size_t reserved_at = 20;
constexpr std::size_t pages_at = 28;
constexpr std::size_t free_list_at = 32;
constexpr std::size_t format_at = 60;
constexpr std::size_t application_at = 68;

bool read_all(int fd, page_bytes& into, std::int64_t from) {
  std::size_t got = 0;
  while (got < into.size()) {
    const auto some = ::pread(fd, into.data() + got, into.size() - got,
                              from + static_cast<std::int64_t>(got));
    if (some <= 0)
      return false;
    got += static_cast<std::size_t>(some);
  }
  return true;
}

bool is_page_size(std::size_t size) {
  return size >= 512 && size <= 65536 && (size & (size - 1)) == 0;
}

bool has_magic(const page_bytes& header) {
  return std::memcmp(header.data(), "SQLite format 3", 16) == 0;
}

bool has_our_id(const page_bytes& header) {
  return number_at(header, application_at, 4)
         == static_cast<std::uint32_t>(journal_application_id);
}

} // namespace

std::uint32_t number_at(const page_bytes& bytes, std::size_t at, int size) {
  std::uint32_t number = 0;
  for (auto i = at; i < at + static_cast<std::size_t>(size); ++i)
    number = number << 8 | (i < bytes.size() ? bytes[i] : 0U);
  return number;
}

result<journal_pages> journal_pages::open(const std::string& path) {
  unique_fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file)
    return fail(errc::storage_failed,
                path + ": " + std::generic_category().message(errno));
  journal_pages made{path, std::move(file)};
  if (auto read = made.read_log(); !read)
    return fail(read.error());
  if (auto known = made.learn(); !known)
    return fail(known.error());
  made.find_free_pages();
  return made;
}

status journal_pages::read_log() {
  auto rest = salvage_wal(path_);
  if (!rest)
    return fail(rest.error());
  log_ = std::move(*rest);
  log_file_.reset(::open((path_ + "-wal").c_str(), O_RDONLY | O_CLOEXEC));
  for (const auto& one : log_.frames) {
    if (one.is_whole) {
      in_log_[one.page] = one.bytes_at;
      older_.erase(one.page);
    } else {
      older_.insert(one.page);
      bad_frames_.push_back(one);
    }
  }
  return {};
}

status journal_pages::learn() {
  page_bytes header(header_size);
  const auto in_log = in_log_.find(1);
  const auto is_there = in_log == in_log_.end()
                          ? read_all(file_.get(), header, 0)
                          : read_all(log_file_.get(), header, in_log->second);
  const auto is_ours = is_there && has_magic(header) && has_our_id(header);
  auto size = std::size_t{number_at(header, page_size_at, 2)};
  size = size == 1 ? 65536 : size;
  if (log_.page_size > 0)
    page_size_ = static_cast<std::size_t>(log_.page_size);
  else if (is_page_size(size))
    page_size_ = size;
  count_pages(header, is_there && has_magic(header));
  const auto is_guarded = any_guarded_page();
  if (!is_ours && !is_guarded)
    return fail(errc::invalid_argument, path_ + " is no journal");
  reserved_ = is_guarded || header[reserved_at] != 0 ? reserved_bytes : 0;
  const auto first = read(1);
  count_pages(header, first.has_value());
  if (first && number_at(header, format_at, 4) > journal_format)
    return fail(errc::invalid_argument,
                path_ + " was written by a newer turnstile");
  return {};
}

/// Pages that a file has lost at its end count, too.
void journal_pages::count_pages(const page_bytes& header, bool is_whole) {
  const auto size =
    std::max<std::int64_t>(::lseek(file_.get(), 0, SEEK_END), 0);
  const auto in_file = static_cast<std::uint32_t>(
    (static_cast<std::size_t>(size) + page_size_ - 1) / page_size_);
  count_ = is_whole ? number_at(header, pages_at, 4) : in_file;
  for (const auto& one : log_.frames)
    if (one.is_whole && one.pages != 0)
      count_ = one.pages;
  // A header that lies is no reason to look for a terabyte.
  count_ = std::min(count_, std::max<std::uint32_t>(in_file * 4, 1U << 20));
}

bool journal_pages::any_guarded_page() const {
  page_bytes page(page_size_);
  for (std::uint32_t number = 1;
       read_all(file_.get(), page,
                static_cast<std::int64_t>(page_size_) * (number - 1));
       ++number)
    if (is_page_whole(page.data(), page.size(), number))
      return true;
  return false;
}

// A page of the list of free pages names the next such page, and how many
// others, and these.
void journal_pages::find_free_pages() {
  const auto first = read(1);
  if (!first)
    return;
  for (auto at = number_at(*first, free_list_at, 4); at != 0;) {
    const auto trunk = read(at);
    if (!trunk || !free_.insert(at).second)
      return;
    const auto leaves =
      std::min<std::size_t>(number_at(*trunk, 4, 4), usable() / 4 - 2);
    for (std::size_t i = 0; i < leaves; ++i)
      free_.insert(number_at(*trunk, 8 + 4 * i, 4));
    at = number_at(*trunk, 0, 4);
  }
}

bool journal_pages::read_file(page_bytes& into, std::uint32_t number) const {
  return read_all(file_.get(), into,
                  static_cast<std::int64_t>(page_size_) * (number - 1));
}

page_bytes journal_pages::read_unproven(std::uint32_t number) const {
  if (auto page = read(number))
    return *std::move(page);
  page_bytes page(page_size_);
  static_cast<void>(read_file(page, number));
  return page;
}

std::optional<page_bytes> journal_pages::read(std::uint32_t number) const {
  if (number == 0)
    return std::nullopt;
  page_bytes page(page_size_);
  if (const auto found = in_log_.find(number); found != in_log_.end())
    return read_all(log_file_.get(), page, found->second)
             ? std::optional{std::move(page)}
             : std::nullopt;
  if (!read_file(page, number))
    return std::nullopt;
  if (reserved_ > 0 && !is_page_whole(page.data(), page.size(), number))
    return std::nullopt;
  return page;
}

} // namespace turnstile::repair
