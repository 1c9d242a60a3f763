#include "tests/conformance/words.hpp"

#include <charconv>
#include <limits>
#include <sstream>

namespace turnstile::conformance {

namespace {

constexpr auto most = std::numeric_limits<std::uint64_t>::max();

template <class T>
T parse(std::string_view word, const char* what) {
  T value{};
  auto [end, error] =
    std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    throw malformed{std::string{what}
                    + " is not a number: " + std::string{word}};
  return value;
}

/// Takes what stands before `separator` out of `text`.
std::string_view cut(std::string_view& text, char separator) {
  auto at = text.find(separator);
  auto part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

void parse_flags(std::string_view flags, harness_work& work) {
  if (flags == "-")
    return;
  while (!flags.empty()) {
    const auto flag = flags.front();
    flags.remove_prefix(1);
    if (flag == 'e') {
      work.fails = true;
    } else if (flag == 't') {
      work.throws = true;
    } else if (flag == 's') {
      work.slice_throws = true;
    } else if (flag == 'x') {
      auto digits = flags.find_first_not_of("0123456789");
      auto count = flags.substr(0, digits);
      work.extra_words = parse<std::uint32_t>(count, "flag x");
      flags.remove_prefix(count.size());
    } else {
      throw malformed{std::string{"unknown flag "} + flag};
    }
  }
}

} // namespace

words::words(std::string_view line) {
  std::istringstream in{std::string{line}};
  for (std::string word; in >> word;)
    all_.push_back(std::move(word));
}

bool words::take_if(std::string_view word) {
  if (empty() || all_[next_] != word)
    return false;
  ++next_;
  return true;
}

const std::string& words::take(const char* what) {
  if (empty())
    throw malformed{std::string{"missing "} + what};
  return all_[next_++];
}

std::uint64_t words::number(const char* what) {
  return take_if("max") ? most : parse<std::uint64_t>(take(what), what);
}

std::int64_t words::signed_number(const char* what) {
  return parse<std::int64_t>(take(what), what);
}

bool words::flag(const char* what) {
  const auto& word = take(what);
  if (word != "0" && word != "1")
    throw malformed{std::string{what} + " must be 0 or 1"};
  return word == "1";
}

instant words::time() {
  auto ns = parse<std::int64_t>(take("time"), "time");
  if (ns < 0)
    throw malformed{"time begins at 0"};
  return instant{duration{ns}};
}

std::optional<instant> words::deadline() {
  if (take_if("-"))
    return std::nullopt;
  return time();
}

work_key words::work_id() {
  std::string_view word = take("work id");
  if (word.find('/') == std::string_view::npos)
    throw malformed{"a work id is REQUEST/SEQUENCE"};
  auto request = parse<std::uint64_t>(cut(word, '/'), "work id");
  return {{request}, parse<std::uint64_t>(word, "work id")};
}

harness_work words::work() {
  std::string_view word = take("work");
  if (word.ends_with(':'))
    throw malformed{"a work is PAYLOAD[:SLICE[:FLAGS]]"};
  harness_work work;
  work.payload = parse<std::uint32_t>(cut(word, ':'), "payload");
  if (!word.empty()) {
    auto slice = cut(word, ':');
    work.slice = slice == "max" ? most : parse<std::uint64_t>(slice, "slice");
  }
  parse_flags(word, work);
  return work;
}

std::string words::rest() {
  std::string out;
  while (!empty())
    out += (out.empty() ? "" : " ") + all_[next_++];
  return out;
}

void words::end() {
  if (!empty())
    throw malformed{"too many words"};
  ended_ = true;
}

} // namespace turnstile::conformance
