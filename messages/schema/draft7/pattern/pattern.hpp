#pragma once

#include "messages/schema/draft7/effort.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace re2 {
class RE2;
}

namespace turnstile::draft7 {

/// How much memory patterns may take, all of a schema together. It also bounds
/// the time to compile them: without, each can be worth a second.
struct pattern_room {
  std::size_t left = std::size_t{128} << 20;
};

/// A regular expression of a schema, which finds in time linear in the text.
class pattern {
public:
  /// Compiles an ECMA-262 pattern, or says why not: "looking around ... is not
  /// supported". Takes what it needs from `room`.
  static tl::expected<pattern, std::string> compile(std::string_view ecma,
                                                    pattern_room& room);

  /// Whether `text`, which is UTF-8, has it anywhere. Pays first.
  [[nodiscard]] bool is_in(const std::string& text, effort& means) const;

  /// As it was written.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
  pattern(std::string_view text, std::shared_ptr<const re2::RE2> program);

  std::string text_;
  std::shared_ptr<const re2::RE2> program_;
};

/// Returns why `text` is no regular expression of ECMA-262, or "" if it is one,
/// even if it is one that cannot be a `pattern` here. Pays for its size.
std::string complaint_about_regex(std::string_view text, effort& means);

} // namespace turnstile::draft7
