#include "config/plan/text/read_file.hpp"

#include "config/plan/byte_size.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace turnstile::config {

namespace {

tl::unexpected<failure> cannot_read(int error) {
  return fail(errc::invalid_plan,
              "cannot read: " + std::generic_category().message(error));
}

} // namespace

result<std::string> read_file(const std::filesystem::path& file,
                              std::size_t max_bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream{
    std::fopen(file.c_str(), "rbe"), std::fclose};
  if (!stream)
    return cannot_read(errno);
  std::string bytes;
  std::array<char, 65536> chunk;
  for (;;) {
    const auto taken = std::fread(chunk.data(), 1, chunk.size(), stream.get());
    bytes.append(chunk.data(), taken);
    if (bytes.size() > max_bytes)
      return fail(errc::invalid_plan,
                  "larger than " + render_byte_size(max_bytes));
    if (taken == chunk.size())
      continue;
    if (std::ferror(stream.get()))
      return cannot_read(errno);
    return bytes;
  }
}

} // namespace turnstile::config
