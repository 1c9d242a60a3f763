#pragma once

#include "messages/schema/output_schema.hpp"

#include <string>
#include <string_view>

namespace turnstile {

/// What a schema says of an output, as one string: "fine", or the code and the
/// sentence. Without the words with which all sentences of a code begin.
inline std::string answer(const status& said) {
  constexpr std::string_view begins[] = {"output does not match schema: ",
                                         "schema is not a valid JSON Schema: "};
  if (said)
    return "fine";
  auto [code, text] = said.error();
  for (const auto begin : begins)
    if (text.starts_with(begin))
      return (code == errc::invalid_schema ? "no schema: " : "no: ")
             + text.substr(begin.size());
  return "? " + to_string(said.error());
}

inline std::string answer(std::string_view schema, std::string_view output) {
  const auto made = output_schema::compile(schema);
  return made ? answer(made->check(output)) : answer(fail(made.error()));
}

/// What compiling says: "fine", or the code and the sentence.
inline std::string compiles(std::string_view schema) {
  const auto made = output_schema::compile(schema);
  return made ? "fine" : answer(fail(made.error()));
}

/// `text`, so many times.
inline std::string times(std::size_t count, std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

} // namespace turnstile
