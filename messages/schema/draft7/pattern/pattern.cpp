#include "messages/schema/draft7/pattern/pattern.hpp"

#include "messages/schema/draft7/json/excerpt.hpp"
#include "messages/schema/draft7/pattern/ecma.hpp"

#include <re2/re2.h>
#include <utility>

namespace turnstile::draft7 {

namespace {

using re2::RE2;

// What a program may take, tried in this order: itself, and what it remembers
// of its states while it matches.
constexpr std::size_t sizes[] = {std::size_t{256} << 10, std::size_t{1} << 20,
                                 std::size_t{8} << 20};

std::shared_ptr<const RE2> program_of(const std::string& text,
                                      std::size_t bytes) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_max_mem(static_cast<std::int64_t>(bytes));
  return std::make_shared<RE2>(text, options);
}

} // namespace

pattern::pattern(std::string_view text, std::shared_ptr<const RE2> program)
  : text_{text}, program_{std::move(program)} {}

tl::expected<pattern, std::string> pattern::compile(std::string_view ecma,
                                                    pattern_room& room) {
  const auto text = re2_of_ecma(ecma);
  if (!text)
    return tl::unexpected{text.error()};
  for (const auto bytes : sizes) {
    if (bytes > room.left)
      return tl::unexpected<std::string>{"the patterns are too large together"};
    auto program = program_of(*text, bytes);
    if (program->ok()) {
      room.left -= bytes;
      return pattern{ecma, std::move(program)};
    }
    if (program->error_code() != RE2::ErrorPatternTooLarge)
      return tl::unexpected{shortened(program->error(), 200)};
  }
  return tl::unexpected<std::string>{"it is too large"};
}

bool pattern::is_in(const std::string& text, effort& means) const {
  // The worst is each byte at each instruction, some ten nanoseconds each. That
  // is not charged in full, as RE2 is a hundred times faster mostly.
  const auto size = static_cast<std::uint64_t>(program_->ProgramSize());
  return means.spend(2 + text.size() * size / 16)
         && RE2::PartialMatch(text, *program_);
}

std::string complaint_about_regex(std::string_view text, effort& means) {
  // A program of this size is not used, and made in half a millisecond.
  constexpr std::size_t little = std::size_t{64} << 10;
  constexpr std::uint64_t price = 2'000;
  constexpr std::uint64_t price_of_large = 50'000;
  const auto translated = re2_of_ecma(text, beyond_re2::approximate);
  if (!translated)
    return translated.error();
  if (!means.spend(price + text.size()))
    return {};
  const auto program = program_of(*translated, little);
  switch (program->error_code()) {
  case RE2::NoError:
    return {};
  case RE2::ErrorPatternTooLarge: // Fine for ECMA-262.
    means.spend(price_of_large);
    return {};
  case RE2::ErrorRepeatSize:
    return {};
  default:
    return shortened(program->error(), 200);
  }
}

} // namespace turnstile::draft7
