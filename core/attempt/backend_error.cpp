#include "core/attempt/backend_error.hpp"

#include <array>

namespace turnstile {

namespace {

struct kind_row {
  backend_error_kind kind;
  std::string_view name;
  std::string_view prefix; // Of the text form; a form without text ends here.
  bool shows_text;
};

constexpr auto rows = std::array{
  kind_row{backend_error_kind::spawn, "spawn", "spawn failed: ", true},
  kind_row{backend_error_kind::timeout, "timeout", "backend timed out", false},
  kind_row{backend_error_kind::protocol, "protocol", "protocol error: ", true},
  kind_row{backend_error_kind::connection, "connection",
           "connection error: ", true},
  kind_row{backend_error_kind::cancelled, "cancelled", "cancelled", false},
  kind_row{backend_error_kind::config, "config", "configuration error: ", true},
  kind_row{backend_error_kind::io, "io", "IO error: ", true},
  kind_row{backend_error_kind::parse, "parse", "parse error: ", true},
  kind_row{backend_error_kind::execution, "execution",
           "execution error: ", true},
  kind_row{backend_error_kind::other, "other", "", true},
};

const kind_row* find(backend_error_kind kind) noexcept {
  for (const auto& row : rows)
    if (row.kind == kind)
      return &row;
  return nullptr;
}

} // namespace

std::string_view to_string(backend_error_kind kind) noexcept {
  const auto* row = find(kind);
  return row ? row->name : "unknown_kind";
}

std::optional<backend_error_kind>
backend_error_kind_from_string(std::string_view name) noexcept {
  for (const auto& row : rows)
    if (row.name == name)
      return row.kind;
  return std::nullopt;
}

bool retryable(backend_error_kind kind) noexcept {
  return kind == backend_error_kind::spawn
         || kind == backend_error_kind::timeout;
}

std::string to_string(const backend_error& error) {
  const auto* row = find(error.kind);
  if (!row)
    return error.text;
  auto out = std::string{row->prefix};
  if (error.kind == backend_error_kind::timeout && !error.text.empty())
    return out + ": " + error.text; // which limit, if we know
  return row->shows_text ? out + error.text : out;
}

} // namespace turnstile
