#include "core/consensus/blocking_group.hpp"

#include <algorithm>
#include <string>

namespace turnstile {

namespace {

constexpr std::size_t bytes_of_word = 8;

void put_text(frame_row& row, const frame_text& text) {
  row.push_back(text.word);
  row.push_back(text.text.size());
  for (std::size_t i = 0; i < text.text.size(); ++i) {
    if (i % bytes_of_word == 0)
      row.push_back(0);
    const auto byte = static_cast<unsigned char>(text.text[i]);
    row.back() |= std::uint64_t{byte} << (8 * (i % bytes_of_word));
  }
}

/// Takes words from a row, until one is missing.
class row_reader {
public:
  explicit row_reader(const frame_row& row) : row_(&row) {}

  std::uint64_t take() {
    if (at_ >= row_->size())
      is_short_ = true;
    return is_short_ ? 0 : (*row_)[at_++];
  }

  [[nodiscard]] std::uint64_t left() const { return row_->size() - at_; }
  [[nodiscard]] bool is_short() const { return is_short_; }
  void fall_short() { is_short_ = true; }

  [[nodiscard]] bool has_only_padding_left() const {
    return std::all_of(row_->begin() + static_cast<std::ptrdiff_t>(at_),
                       row_->end(), [](auto word) { return word == 0; });
  }

private:
  const frame_row* row_;
  std::size_t at_ = 0;
  bool is_short_ = false;
};

std::string take_bytes(row_reader& from, std::uint64_t bytes) {
  std::string text;
  if (bytes > frame_text::max_bytes || bytes > from.left() * bytes_of_word) {
    from.fall_short();
    return text;
  }
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (i % bytes_of_word == 0)
      word = from.take();
    text.push_back(static_cast<char>(word >> (8 * (i % bytes_of_word))));
  }
  return text;
}

void take_header(row_reader& from, frame& f) {
  f.kind = static_cast<frame_kind>(std::min<std::uint64_t>(from.take(), 255));
  f.format = static_cast<std::uint32_t>(
    std::min<std::uint64_t>(from.take(), UINT32_MAX));
  f.protocol = from.take();
  f.epoch = from.take();
  f.round = from.take();
  f.rank = from.take();
  f.clock = instant{duration{static_cast<std::int64_t>(from.take())}};
  f.length = from.take();
}

} // namespace

frame_row to_row(const frame& f) {
  frame_row row{static_cast<std::uint64_t>(f.kind),
                f.format,
                f.protocol,
                f.epoch,
                f.round,
                f.rank,
                static_cast<std::uint64_t>(f.clock.time_since_epoch().count()),
                f.length};
  row.insert(row.end(), f.words.begin(), f.words.end());
  row.push_back(f.texts.size());
  for (const auto& text : f.texts)
    put_text(row, text);
  return row;
}

result<frame> from_row(const frame_row& row) {
  row_reader from{row};
  frame f;
  take_header(from, f);
  if (from.is_short())
    return fail(errc::consensus, "its row ends within the header");
  if (f.length > from.left())
    return fail(errc::consensus,
                "length is " + std::to_string(f.length) + " there, but only "
                  + std::to_string(from.left()) + " words came");
  for (std::uint64_t i = 0; i < f.length; ++i)
    f.words.push_back(from.take());
  const auto texts = from.take();
  for (std::uint64_t i = 0; i < texts && !from.is_short(); ++i) {
    const auto word = from.take();
    f.texts.push_back({word, take_bytes(from, from.take())});
  }
  if (from.is_short())
    return fail(errc::consensus, "its row ends within the texts");
  if (!from.has_only_padding_left())
    return fail(errc::consensus, "its row goes on behind its end");
  return f;
}

result<std::optional<std::vector<frame>>>
blocking_group::gather(const frame& local) {
  auto rows = transport_(to_row(local));
  if (!rows)
    return fail(std::move(rows.error()));
  std::vector<frame> all;
  all.reserve(rows->size());
  for (std::size_t rank = 0; rank < rows->size(); ++rank) {
    auto read = from_row((*rows)[rank]);
    if (!read)
      return fail(errc::consensus,
                  "rank " + std::to_string(rank) + " differs in round "
                    + std::to_string(local.round) + ": " + read.error().detail);
    all.push_back(std::move(*read));
  }
  return all;
}

} // namespace turnstile
