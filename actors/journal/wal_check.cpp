#include "actors/journal/wal_check.hpp"

#include "actors/journal/way_out.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <sqlite3.h>
#include <utility>
#include <vector>

namespace turnstile {

namespace {

using bytes = std::vector<unsigned char>;

constexpr std::int64_t header_size = 32;
constexpr std::int64_t frame_header_size = 24;
constexpr std::uint32_t magic = 0x377F0682; // and 1 more: sums of big endian

std::uint32_t big_endian(const unsigned char* at) {
  return (std::uint32_t{at[0]} << 24) | (std::uint32_t{at[1]} << 16)
         | (std::uint32_t{at[2]} << 8) | at[3];
}

std::uint32_t little_endian(const unsigned char* at) {
  return (std::uint32_t{at[3]} << 24) | (std::uint32_t{at[2]} << 16)
         | (std::uint32_t{at[1]} << 8) | at[0];
}

/// Two numbers that stand side by side: salts, or a checksum.
using pair = std::array<std::uint32_t, 2>;

pair pair_at(const unsigned char* at) {
  return {big_endian(at), big_endian(at + 4)};
}

/// A file as SQLite would read it. Stays where it is, since the layer below
/// keeps pointers to it.
class file_below {
public:
  explicit file_below(std::string path) : path_(std::move(path)) {}

  file_below(const file_below&) = delete;

  ~file_below() {
    if (is_open_)
      methods().xClose(file());
  }

  /// Whether it was there, and is open now.
  result<bool> open(const std::string& vfs) {
    auto* layer = sqlite3_vfs_find(vfs.empty() ? nullptr : vfs.c_str());
    if (layer == nullptr)
      return fail(errc::storage_failed, path_ + ": there is no layer " + vfs);
    auto is_there = 0;
    if (layer->xAccess(layer, path_.c_str(), SQLITE_ACCESS_EXISTS, &is_there)
        != SQLITE_OK)
      return fail(errc::storage_failed, path_ + ": it cannot be looked for");
    if (is_there == 0)
      return false;
    room_.resize(
      static_cast<std::size_t>(layer->szOsFile) / sizeof(std::max_align_t) + 1);
    if (layer->xOpen(layer, path_.c_str(), file(),
                     SQLITE_OPEN_WAL | SQLITE_OPEN_READONLY, nullptr)
        != SQLITE_OK)
      return fail(errc::storage_failed, path_ + ": it cannot be opened");
    return is_open_ = true;
  }

  result<std::int64_t> size() {
    sqlite3_int64 bytes = 0;
    if (methods().xFileSize(file(), &bytes) != SQLITE_OK)
      return fail(errc::storage_failed, path_ + ": it has no size");
    return bytes;
  }

  status read(bytes& into, std::int64_t from) {
    if (methods().xRead(file(), into.data(), static_cast<int>(into.size()),
                        from)
        != SQLITE_OK)
      return fail(errc::storage_failed, path_ + ": it cannot be read");
    return {};
  }

private:
  sqlite3_file* file() { return reinterpret_cast<sqlite3_file*>(room_.data()); }
  const sqlite3_io_methods& methods() { return *file()->pMethods; }

  std::string path_;
  std::vector<std::max_align_t> room_;
  bool is_open_ = false;
};

/// How a log adds up its checksums.
struct adder {
  bool is_big_endian = false;

  [[nodiscard]] pair add(pair sum, const unsigned char* from,
                         std::size_t size) const {
    const auto word = is_big_endian ? big_endian : little_endian;
    for (std::size_t i = 0; i + 8 <= size; i += 8) {
      sum[0] += word(from + i) + sum[1];
      sum[1] += word(from + i + 4) + sum[0];
    }
    return sum;
  }
};

struct header {
  adder sums;
  std::int64_t page_size = 0;
  pair salts{};
  pair sum{};
};

std::optional<header> header_in(const bytes& from) {
  const auto kind = big_endian(from.data());
  if ((kind & ~1U) != magic)
    return std::nullopt;
  header made;
  made.sums.is_big_endian = kind != magic;
  made.page_size = big_endian(&from[8]);
  made.salts = pair_at(&from[16]);
  made.sum = made.sums.add({}, from.data(), 24);
  const auto is_size = made.page_size >= 512 && made.page_size <= 65536
                       && (made.page_size & (made.page_size - 1)) == 0;
  if (!is_size || made.sum != pair_at(&from[24]))
    return std::nullopt;
  return made;
}

/// Follows the frames of a log, one by one from the first.
class frame_chain {
public:
  explicit frame_chain(const header& of)
    : header_(of), stored_(of.sum), computed_(of.sum) {}

  /// Takes the next frame. @returns whether it is of this log, and what was
  /// written
  bool take(const bytes& frame) {
    ++at_;
    const auto is_ours = has_our_salts(frame);
    const auto is_commit = big_endian(&frame[4]) != 0;
    const auto is_next = follows(frame);
    if (wrong_ == 0 && is_ours && is_next) {
      last_ = at_;
      if (is_commit)
        committed_ = at_;
      return true;
    }
    if (wrong_ == 0)
      wrong_ = at_;
    else if (!is_ours || !is_next)
      commits_ = 0; // another chain begins
    commits_ += is_commit && (is_ours || wrong_ == at_) ? 1 : 0;
    is_damaged_ = is_damaged_ || commits_ > 1;
    if (is_ours)
      last_ = at_;
    return is_ours && is_next;
  }

  /// Takes what is left of a file that ends within a frame.
  void take_piece(const bytes& piece) {
    const auto may_be_ours = piece.size() < 16 || has_our_salts(piece);
    if (last_ == at_ && may_be_ours)
      ++last_;
  }

  /// The first frame that is wrong though what was durable depends on it.
  [[nodiscard]] std::optional<std::uint64_t> damaged() const {
    return is_damaged_ ? std::optional{wrong_} : std::nullopt;
  }

  [[nodiscard]] wal_tail tail() const {
    return {committed_ + 1, last_ - committed_};
  }

private:
  [[nodiscard]] bool has_our_salts(const bytes& frame) const {
    return pair_at(&frame[8]) == header_.salts;
  }

  /// Whether its checksum goes on from the frame before, be it from the one
  /// that stands there or from the one that belongs there.
  bool follows(const bytes& frame) {
    const auto sum_from = [&](pair sum) {
      sum = header_.sums.add(sum, frame.data(), 8);
      return header_.sums.add(sum, &frame[frame_header_size],
                              frame.size() - frame_header_size);
    };
    const auto before = std::exchange(stored_, pair_at(&frame[16]));
    const auto should = computed_;
    computed_ = sum_from(before);
    if (computed_ == stored_ || before == should)
      return computed_ == stored_;
    const auto other = sum_from(should);
    if (other == stored_)
      computed_ = other;
    return other == stored_;
  }

  header header_;
  pair stored_;   ///< The checksum in the frame before this one.
  pair computed_; ///< The one that it should have.
  std::uint64_t at_ = 0;
  std::uint64_t committed_ = 0; ///< The last frame that SQLite will read.
  std::uint64_t last_ = 0;      ///< The last one that is of this log.
  std::uint64_t wrong_ = 0;     ///< The first one that proves nothing.
  std::uint64_t commits_ = 0;   ///< In the chain that this one is in.
  bool is_damaged_ = false;
};

tl::unexpected<failure> damaged(const std::string& journal,
                                const std::string& what) {
  return fail(errc::journal_damaged,
              journal + "-wal: " + what
                + " is not what was written, and what was committed after it "
                  "cannot be read without it; leave the files as they are"
                + way_out(journal));
}

/// What a header that is wrong must have been, by what follows it.
header guessed_header(const bytes& header_bytes, const bytes& first_frame) {
  header made;
  made.page_size = std::ssize(first_frame) - frame_header_size;
  made.salts = pair_at(&first_frame[8]);
  made.sum = pair_at(&header_bytes[24]);
  return made;
}

} // namespace

result<wal_tail> read_wal(const std::string& journal, const std::string& vfs) {
  file_below file{journal + "-wal"};
  const auto is_there = file.open(vfs);
  if (!is_there)
    return fail(is_there.error());
  if (!*is_there)
    return wal_tail{};
  const auto size = file.size();
  if (!size)
    return fail(size.error());
  if (*size <= header_size)
    return wal_tail{};
  bytes buffer(header_size);
  if (auto read = file.read(buffer, 0); !read)
    return fail(read.error());
  // It is synced before the first frame is written.
  const auto header = header_in(buffer);
  if (!header)
    return damaged(journal, "its header");
  frame_chain chain{*header};
  buffer.resize(
    static_cast<std::size_t>(frame_header_size + header->page_size));
  auto at = header_size;
  for (const auto whole = std::ssize(buffer); at + whole <= *size;
       at += whole) {
    if (auto read = file.read(buffer, at); !read)
      return fail(read.error());
    chain.take(buffer);
  }
  if (at < *size) {
    buffer.resize(static_cast<std::size_t>(*size - at));
    if (auto read = file.read(buffer, at); !read)
      return fail(read.error());
    chain.take_piece(buffer);
  }
  if (const auto frame = chain.damaged())
    return damaged(journal, "frame " + std::to_string(*frame));
  return chain.tail();
}

result<wal_rest> salvage_wal(const std::string& journal) {
  constexpr std::int64_t usual_page = 4096;
  file_below file{journal + "-wal"};
  const auto is_there = file.open({});
  if (!is_there)
    return fail(is_there.error());
  wal_rest rest;
  const auto size = *is_there ? file.size() : std::int64_t{0};
  if (!size)
    return fail(size.error());
  if (*size <= header_size)
    return rest;
  bytes top(header_size);
  if (auto read = file.read(top, 0); !read)
    return fail(read.error());
  auto header = header_in(top);
  rest.header_is_whole = header.has_value();
  rest.page_size = header ? header->page_size : usual_page;
  bytes frame(static_cast<std::size_t>(frame_header_size + rest.page_size));
  std::optional<frame_chain> chain;
  std::size_t committed = 0;
  std::size_t proven = 0;
  for (auto at = header_size; at + std::ssize(frame) <= *size;
       at += std::ssize(frame)) {
    if (auto read = file.read(frame, at); !read)
      return fail(read.error());
    if (!chain)
      chain.emplace(header ? *header : guessed_header(top, frame));
    auto& one = rest.frames.emplace_back();
    one.frame = rest.frames.size();
    one.page = big_endian(frame.data());
    one.pages = big_endian(&frame[4]);
    one.bytes_at = at + frame_header_size;
    one.is_whole = chain->take(frame);
    if (one.is_whole && one.pages != 0)
      proven = rest.frames.size();
    if (!chain->damaged())
      committed = static_cast<std::size_t>(chain->tail().first - 1);
  }
  // Without damage, what is behind the last commit was never acknowledged.
  const auto is_damaged = chain && chain->damaged();
  rest.frames.resize(is_damaged || !header ? proven : committed);
  return rest;
}

result<wal_tail> check_wal(const std::string& journal,
                           const ownership_file& owner,
                           const std::string& vfs) {
  if (owner.is_held())
    return wal_tail{};
  auto tail = read_wal(journal, vfs);
  if (owner.is_held()) // it came while we were reading
    return wal_tail{};
  return tail;
}

std::string to_string(const wal_tail& tail, const std::string& journal) {
  auto text = std::to_string(tail.frames);
  text.append(tail.frames == 1 ? " frame" : " frames")
    .append(" of an unfinished commit at the end of ")
    .append(journal)
    .append(tail.frames == 1 ? "-wal was dropped" : "-wal were dropped");
  return text;
}

std::string missing_text(std::uint64_t facts, const wal_tail& tail,
                         const std::string& journal) {
  std::string text = "the last ";
  text.append(std::to_string(facts))
    .append(" facts that were told to somebody are missing");
  if (tail.frames > 0)
    text.append("; what is left of ")
      .append(journal)
      .append("-wal cannot be read from frame ")
      .append(std::to_string(tail.first))
      .append(" on");
  return text;
}

} // namespace turnstile
