#include "actors/journal/repair/rows.hpp"

#include "actors/journal/row_id.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

// The format is SQLite's, https://www.sqlite.org/fileformat2.html, sections 1.6
// (pages of trees) and 2.1 (records):
//
//     page    0 kind | 3 cells | 8 (or 12) where each of them is, 2 bytes each
//     row     bytes of the record | its number | record | page of the rest
//     record  bytes of the header | a type per column | a value per column
//
// Numbers that have no fixed size are of 7 bits a byte, the last without the
// highest.

namespace turnstile::repair {

namespace {

constexpr unsigned char rows_page = 0x0d;
constexpr unsigned char entries_page = 0x0a;
constexpr unsigned char inner_rows_page = 0x05;
constexpr unsigned char inner_entries_page = 0x02;

/// Reads numbers out of bytes; from their end on, zeros.
struct cursor {
  const unsigned char* bytes = nullptr;
  std::size_t size = 0;
  std::size_t at = 0;

  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (int i = 0; i < 9 && at < size; ++i) {
      const auto byte = bytes[at++];
      if (i == 8)
        return number << 8 | byte;
      number = number << 7 | (byte & 0x7f);
      if (byte < 0x80)
        return number;
    }
    return number;
  }
};

std::size_t header_of(std::uint32_t page) {
  return page == 1 ? 100 : 0; // behind that of the database
}

/// A record as it stands in a page.
struct cell {
  std::int64_t id = 0;
  std::uint64_t size = 0; ///< Of all of the record.
  std::size_t at = 0;     ///< Where it begins in the page.
  std::size_t here = 0;   ///< How much of it is there.
  std::uint32_t rest = 0; ///< The page with the rest of it, or 0.
};

std::optional<cell> cell_at(const page_bytes& page, std::uint32_t number,
                            std::uint32_t index, std::size_t usable) {
  const auto top = header_of(number);
  const auto kind = page[top];
  const auto pointers = top + (kind == inner_entries_page ? 12 : 8);
  const auto where = pointers + std::size_t{index} * 2;
  if (where + 2 > usable)
    return std::nullopt;
  cursor read{page.data(), usable, number_at(page, where, 2)};
  if (kind == inner_entries_page)
    read.at += 4;
  cell found;
  found.size = read.varint();
  if (kind == rows_page)
    found.id = static_cast<std::int64_t>(read.varint());
  const auto most =
    kind == rows_page ? usable - 35 : (usable - 12) * 64 / 255 - 23;
  const auto least = (usable - 12) * 32 / 255 - 23;
  found.at = read.at;
  found.here = static_cast<std::size_t>(found.size);
  if (found.size > most) {
    const auto wanted = least + (found.size - least) % (usable - 4);
    found.here = wanted <= most ? wanted : least;
    if (found.at + found.here + 4 > usable)
      return std::nullopt;
    found.rest = number_at(page, found.at + found.here, 4);
  }
  if (found.at + found.here > usable)
    return std::nullopt;
  return found;
}

/// The types of a record's columns, of which the header is always in the page.
std::vector<std::uint64_t> types_of(const page_bytes& page, const cell& in) {
  cursor read{page.data() + in.at, in.here, 0};
  const auto end = read.varint();
  std::vector<std::uint64_t> types;
  while (read.at < end && read.at < in.here && types.size() < 16)
    types.push_back(read.varint());
  return types;
}

/// Whether columns have a shape, a letter each: `z` nothing, `i` a number, `t`
/// a text, `b` a blob; a capital: or nothing.
bool is_shaped(const std::vector<std::uint64_t>& types,
               std::string_view shape) {
  if (types.size() != shape.size())
    return false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto type = types[i];
    const auto is = type == 0    ? 'z'
                    : type >= 12 ? (type % 2 == 0 ? 'b' : 't')
                    : type != 7 && type != 10 && type != 11 ? 'i'
                                                            : '?';
    const auto want = shape[i];
    const auto is_maybe = want >= 'A' && want <= 'Z';
    if (is != (is_maybe ? want - 'A' + 'a' : want) && !(is_maybe && is == 'z'))
      return false;
  }
  return true;
}

constexpr std::string_view request_shape = "zitiittiITbBBb";
constexpr std::string_view work_shape = "ziIiiTtttbBB";
constexpr std::string_view stream_shape = "ztii";
constexpr std::string_view event_shape = "ziIb";
constexpr std::string_view owner_shape = "ziiitti";
constexpr std::string_view schema_shape = "tttiT";

std::size_t size_of(std::uint64_t type) {
  constexpr std::array<std::size_t, 12> sizes{0, 1, 2, 3, 4, 6,
                                              8, 8, 0, 0, 0, 0};
  return type < 12 ? sizes[type] : static_cast<std::size_t>((type - 12) / 2);
}

/// The bytes of a record, as far as they can be read.
std::string bytes_of(const journal_pages& pages, const page_bytes& page,
                     const cell& in) {
  std::string all(reinterpret_cast<const char*>(page.data()) + in.at, in.here);
  auto left = pages.count(); // a chain that is longer is none
  for (auto next = in.rest; next != 0 && all.size() < in.size && left-- > 0;) {
    const auto more = pages.read(next);
    if (!more)
      break;
    const auto size =
      std::min<std::uint64_t>(in.size - all.size(), pages.usable() - 4);
    all.append(reinterpret_cast<const char*>(more->data()) + 4,
               static_cast<std::size_t>(size));
    next = number_at(*more, 0, 4);
  }
  return all;
}

column column_of(std::uint64_t type, const std::string& bytes, std::size_t at) {
  column made;
  const auto size = size_of(type);
  made.is_readable = size <= bytes.size() && at <= bytes.size() - size;
  made.is = type == 0   ? column::type::nothing
            : type < 12 ? column::type::number
            : type % 2  ? column::type::text
                        : column::type::blob;
  if (!made.is_readable)
    return made;
  if (type >= 12) {
    made.bytes = bytes.substr(at, size);
  } else if (type == 8 || type == 9) {
    made.number = type == 9 ? 1 : 0;
  } else if (size > 0) {
    auto number = bytes[at] < 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = 0; i < size; ++i)
      number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    made.number = static_cast<std::int64_t>(number);
  }
  return made;
}

row row_of(const journal_pages& pages, const page_bytes& page, const cell& in) {
  const auto types = types_of(page, in);
  const auto bytes = bytes_of(pages, page, in);
  row made;
  made.id = in.id;
  cursor header{page.data() + in.at, in.here, 0};
  auto at = static_cast<std::size_t>(header.varint());
  for (const auto type : types) {
    made.columns.push_back(column_of(type, bytes, at));
    at += std::min(size_of(type), bytes.size() + 1); // or behind its end
  }
  return made;
}

/// Calls `take(page number, page)` for each that has rows or entries.
template <class Take>
void each_page(const journal_pages& pages, std::vector<std::uint32_t>* bad,
               Take take) {
  for (std::uint32_t number = 1; number <= pages.count(); ++number) {
    if (pages.is_free(number))
      continue;
    if (const auto page = pages.read(number))
      take(number, *page);
    else if (bad != nullptr)
      bad->push_back(number);
  }
}

/// Calls `take(index, cell)` for each of a page.
template <class Take>
void each_cell(const journal_pages& pages, std::uint32_t number,
               const page_bytes& page, Take take) {
  const auto cells = number_at(page, header_of(number) + 3, 2);
  for (std::uint32_t i = 0; i < cells; ++i)
    if (const auto found = cell_at(page, number, i, pages.usable()))
      take(i, *found);
}

// A row that is there twice, since what has moved it is lost, counts as it is
// in the newer page.
void sort_once(std::vector<row_place>& rows) {
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::pair{a.id, a.is_older} < std::pair{b.id, b.is_older};
  });
  rows.erase(
    std::unique(rows.begin(), rows.end(),
                [](const auto& a, const auto& b) { return a.id == b.id; }),
    rows.end());
}

} // namespace

journal_rows journal_rows::in(const journal_pages& pages) {
  journal_rows all;
  each_page(
    pages, &all.bad_pages, [&](std::uint32_t number, const page_bytes& page) {
      if (page[header_of(number)] != rows_page)
        return;
      each_cell(pages, number, page, [&](std::uint32_t index, const cell& one) {
        const row_place where{one.id, number, index, pages.is_older(number)};
        const auto types = types_of(page, one);
        if (is_shaped(types, work_shape))
          all.works.push_back(where);
        else if (is_shaped(types, event_shape))
          all.events.push_back(where);
        else if (is_shaped(types, request_shape))
          all.requests.push_back(where);
        else if (is_shaped(types, stream_shape))
          all.streams.push_back(where);
        else if (is_shaped(types, owner_shape) && one.id == 1)
          all.owner = where;
        else if (is_shaped(types, schema_shape))
          all.note_root(row_of(pages, page, one));
      });
    });
  if (const auto first = pages.read_unproven(1);
      all.roots.empty() && first[header_of(1)] == rows_page)
    each_cell(pages, 1, first, [&](std::uint32_t, const cell& one) {
      if (is_shaped(types_of(first, one), schema_shape))
        all.note_root(row_of(pages, first, one));
    });
  for (auto* rows : {&all.requests, &all.works, &all.streams, &all.events})
    sort_once(*rows);
  return all;
}

void journal_rows::note_root(const row& of) {
  const auto& root = of.columns[3];
  if (of.columns[1].is_readable && root.is_readable)
    roots[of.columns[1].bytes] = static_cast<std::uint32_t>(root.number);
}

namespace {

/// What the entries or rows of a tree look like, for those of which it matters.
const std::map<std::string_view, std::string_view> shapes{
  {"requests", request_shape}, {"sqlite_autoindex_requests_1", "tiii"},
  {"works", work_shape},       {"works_by_label", "ti"},
  {"streams", stream_shape},   {"events", event_shape},
};

/// @param seen its pages so far: in a tree there are none twice
bool is_tree_whole(const journal_pages& pages, std::uint32_t root,
                   std::string_view shape, std::set<std::uint32_t>& seen) {
  const auto page = pages.read(root);
  if (!page || pages.is_older(root) || !seen.insert(root).second)
    return false;
  const auto top = header_of(root);
  const auto kind = (*page)[top];
  const auto is_inner = kind == inner_rows_page || kind == inner_entries_page;
  const auto cells = number_at(*page, top + 3, 2);
  for (std::uint32_t i = 0; i < cells; ++i) {
    const auto at = top + (is_inner ? 12 : 8) + std::size_t{i} * 2;
    if (is_inner
        && !is_tree_whole(pages, number_at(*page, number_at(*page, at, 2), 4),
                          shape, seen))
      return false;
    if (kind == inner_rows_page)
      continue; // what leads to others is all that is there
    const auto one = cell_at(*page, root, i, pages.usable());
    if (!one || !is_shaped(types_of(*page, *one), shape))
      return false;
  }
  if (is_inner)
    return is_tree_whole(pages, number_at(*page, top + 8, 4), shape, seen);
  return kind == rows_page || kind == entries_page;
}

} // namespace

bool journal_rows::is_whole(const journal_pages& pages,
                            const std::string& name) const {
  const auto root = roots.find(name);
  std::set<std::uint32_t> seen;
  return root != roots.end()
         && is_tree_whole(pages, root->second, shapes.at(name), seen);
}

journal_names journal_names::in(const journal_pages& pages) {
  journal_names all;
  each_page(pages, nullptr, [&](std::uint32_t number, const page_bytes& page) {
    const auto kind = page[header_of(number)];
    if (kind != entries_page && kind != inner_entries_page)
      return;
    each_cell(pages, number, page, [&](std::uint32_t, const cell& one) {
      const auto types = types_of(page, one);
      const auto is_request = is_shaped(types, "tiii");
      if (!is_request && !is_shaped(types, "ti"))
        return;
      const auto entry = row_of(pages, page, one);
      const auto& text = entry.columns.front();
      const auto& id = entry.columns.back();
      if (!text.is_readable || !id.is_readable)
        return;
      // The numbers of works are greater than those of all else with a name.
      if (is_request)
        all.requests.push_back({text.bytes, entry.columns[1].number,
                                entry.columns[2].number, id.number});
      else if (id.number > row_id::max_place)
        all.works.push_back({text.bytes, id.number});
      else
        all.called.push_back({text.bytes, id.number});
    });
  });
  std::sort(all.works.begin(), all.works.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return all;
}

row row_reader::read(const row_place& where) {
  if (where.page != at_) {
    page_ = pages_.read(where.page).value_or(page_bytes{});
    at_ = where.page;
  }
  row made;
  if (!page_.empty())
    if (const auto found =
          cell_at(page_, where.page, where.cell, pages_.usable()))
      made = row_of(pages_, page_, *found);
  made.id = where.id;
  made.is_older = where.is_older;
  return made;
}

} // namespace turnstile::repair
