#include "actors/process/stream_keep.hpp"

#include "tests/catch.hpp"

#include <vector>

using namespace turnstile;

TEST_CASE("stream_head keeps the first bytes and counts all",
          "[actors][process]") {
  auto [limit, kept] = GENERATE(table<std::size_t, std::string>({
    {0, ""},
    {1, "a"},
    {3, "abc"},
    {5, "abcde"},
    {6, "abcdef"},
    {100, "abcdef"},
  }));
  CAPTURE(limit);
  auto head = stream_head{limit};
  for (const auto* bytes : {"ab", "c", "", "def"})
    head.take(bytes);
  CHECK(head.seen() == 6);
  CHECK(head.finish() == kept);
}

TEST_CASE("stream_tail keeps the last bytes and counts all",
          "[actors][process]") {
  auto [limit, kept] = GENERATE(table<std::size_t, std::string>({
    {0, ""},
    {1, "f"},
    {3, "def"},
    {5, "bcdef"},
    {6, "abcdef"},
    {100, "abcdef"},
  }));
  CAPTURE(limit);
  auto tail = stream_tail{limit};
  for (const auto* bytes : {"ab", "c", "", "def"})
    tail.take(bytes);
  CHECK(tail.seen() == 6);
  CHECK(tail.finish() == kept);
}

TEST_CASE("stream_tail is right however its bytes arrive",
          "[actors][process]") {
  auto size = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{7},
                       std::size_t{10}, std::size_t{11}, std::size_t{1000});
  CAPTURE(size);
  auto all = std::string{};
  for (int n = 0; n < 300; ++n)
    all += std::to_string(n);
  auto tail = stream_tail{10};
  for (std::size_t at = 0; at < all.size(); at += size)
    tail.take(std::string_view{all}.substr(at, size));
  CHECK(tail.finish() == all.substr(all.size() - 10));
}
