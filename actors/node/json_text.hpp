#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace turnstile::node {

/// JSON that keeps the order of its keys, so that people find what they wrote.
using json = nlohmann::ordered_json;

/// Reads a text that should be JSON: nothing is null, and what is no JSON or
/// nests too deeply to be written again is itself, as a string.
json read_json(const std::string& text);

/// Writes `value`, compact or with so many blanks per level. What is not UTF-8
/// is mended, never thrown.
std::string write_json(const json& value, int indent = -1);

} // namespace turnstile::node
