#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// How much room text takes on a terminal. Wide characters take two columns,
// combining ones none; a byte that is not UTF-8 takes one.
namespace turnstile::node {

/// Returns how many columns `text` takes. @pre it is one line
std::size_t columns_of(std::string_view text);

/// Returns `text` if it fits, else as much of it as does with an ellipsis at
/// its end. Never cuts inside a character.
std::string shortened(std::string_view text, std::size_t columns);

/// Breaks `text` at blanks into lines of at most `columns`, all but the first
/// indented by `indent`. A word that is longer than a line is cut into lines.
std::string wrapped(std::string_view text, std::size_t columns,
                    std::size_t indent);

/// Returns `text` with a blank for each control character that is not one of
/// `keep`: what a child wrote must not give orders to a terminal.
std::string without_controls(std::string_view text, std::string_view keep);

/// Returns `text` with a blank for each control character.
std::string one_line(std::string_view text);

} // namespace turnstile::node
