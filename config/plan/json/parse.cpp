#include "config/plan/json/parse.hpp"

#include "config/plan/json/tree_builder.hpp"
#include "config/plan/text/quote.hpp"
#include "config/plan/text/utf8.hpp"

#include <iterator>
#include <string>
#include <string_view>

namespace turnstile::config {

namespace {

// Feeds the parser and keeps count of what it took, since its events do not
// say where they happened.
class counting_iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counting_iterator(const char* at, const char* begin, std::size_t* taken)
    : at_(at), begin_(begin), taken_(taken) {}

  reference operator*() const { return *at_; }

  counting_iterator& operator++() {
    ++at_;
    *taken_ = static_cast<std::size_t>(at_ - begin_);
    return *this;
  }

  counting_iterator operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }

  friend bool operator==(const counting_iterator& a,
                         const counting_iterator& b) {
    return a.at_ == b.at_;
  }

private:
  const char* at_;
  const char* begin_;
  std::size_t* taken_;
};

// What no JSON text may hold, whatever its grammar: the parser would take a
// NUL for the end and not look at the rest, and leave out a byte order mark.
bool complain_about_bytes(complaints& wrong) {
  const auto text = wrong.source().text;
  const auto skipped = wrong.source().skipped;
  constexpr std::string_view mark = "\xef\xbb\xbf";
  const auto complain = [&](std::size_t at, const std::string& why) {
    wrong.add(at, "byte " + std::to_string(at + skipped) + " of the file is "
                    + why);
    return true;
  };
  if (const auto at = find_invalid_utf8(text))
    return complain(*at, "not UTF-8: " + in_quotes(text.substr(*at, 1)));
  if (text.starts_with(mark))
    return complain(0, "a second byte order mark");
  if (const auto at = text.find('\0'); at != text.npos)
    return complain(at, "NUL, which no JSON has");
  return false;
}

} // namespace

std::optional<json_value> parse_json(complaints& wrong,
                                     const json_limits& limits) {
  if (complain_about_bytes(wrong))
    return std::nullopt;
  const auto text = wrong.source().text;
  if (text.find_first_not_of(" \t\r\n") == text.npos) {
    wrong.add(0, "nothing here: the file is empty");
    return std::nullopt;
  }
  std::size_t taken = 0;
  const auto* begin = text.data();
  const auto* end = begin + text.size();
  tree_builder builder{wrong, limits, taken};
  if (!nlohmann::json::sax_parse(counting_iterator{begin, begin, &taken},
                                 counting_iterator{end, begin, &taken},
                                 &builder))
    return std::nullopt;
  return builder.take();
}

} // namespace turnstile::config
