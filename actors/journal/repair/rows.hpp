#pragma once

#include "actors/journal/repair/pages.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace turnstile::repair {

/// One column of a row, as far as it can be read.
struct column {
  enum class type { nothing, number, text, blob };

  type is = type::nothing;
  bool is_readable = false; ///< Else only its type is known.
  std::int64_t number = 0;
  std::string bytes; ///< Of a text or a blob.
};

/// A row, or an entry of an index.
struct row {
  std::int64_t id = 0; ///< Of a row.
  std::vector<column> columns;
  bool is_older = false; ///< It may have changed since.
};

/// Where a row stands.
struct row_place {
  std::int64_t id = 0;
  std::uint32_t page = 0;
  std::uint32_t cell = 0;
  bool is_older = false;
};

/// An entry of an index: what it says of which row.
struct index_entry {
  std::string text;
  std::int64_t id = 0; ///< Of the row.
};

/// The same of a request.
struct request_entry {
  std::string scheduler;
  std::int64_t request = 0;
  std::int64_t life = 0;
  std::int64_t id = 0; ///< Of the row.
};

/// The rows of a journal that can be reached in pages that can be read, each
/// once, in the order of their numbers. Which table a row belongs to is known
/// by its shape, so that no page that leads to others is needed.
struct journal_rows {
  std::vector<row_place> requests;
  std::vector<row_place> works;
  std::vector<row_place> streams;
  std::vector<row_place> events;
  std::optional<row_place> owner;
  std::vector<std::uint32_t> bad_pages;

  /// Where tables and indexes begin, by name. Proven by what is found there.
  std::map<std::string, std::uint32_t> roots;

  /// Whether all pages of a table or an index can be read as they were last: of
  /// what is in it nothing is missing.
  [[nodiscard]] bool is_whole(const journal_pages& pages,
                              const std::string& name) const;

  static journal_rows in(const journal_pages& pages);

private:
  void note_root(const row& of);
};

/// What the indexes say, which know rows that cannot be read. Works are in the
/// order of their numbers.
struct journal_names {
  std::vector<request_entry> requests;
  std::vector<index_entry> works;  ///< By their labels.
  std::vector<index_entry> called; ///< Requests and streams, by their names.

  static journal_names in(const journal_pages& pages);
};

/// Reads a row that was found, with what has overflowed into other pages. What
/// cannot be read of it is marked so.
class row_reader {
public:
  explicit row_reader(const journal_pages& pages) : pages_(pages) {}

  row read(const row_place& where);

private:
  const journal_pages& pages_;
  std::uint32_t at_ = 0; ///< The page that was read last.
  page_bytes page_;
};

} // namespace turnstile::repair
