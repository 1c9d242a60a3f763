#include "config/plan/load.hpp"

#include "config/plan/byte_size.hpp"
#include "config/plan/json/parse.hpp"
#include "config/plan/plan_limits.hpp"
#include "config/plan/read/whole_plan.hpp"
#include "config/plan/text/read_file.hpp"

#include <string>

namespace turnstile::config {

namespace fs = std::filesystem;

result<plan> load_plan(const fs::path& file) {
  const auto name = file.string();
  const auto text = read_file(file, max_plan_bytes);
  if (!text)
    return fail(errc::invalid_plan, name + ": " + text.error().detail);
  return parse_plan(*text, name, file.parent_path());
}

result<plan> parse_plan(std::string_view text, std::string_view name,
                        const fs::path& folder) {
  if (text.size() > max_plan_bytes)
    return fail(errc::invalid_plan, std::string{name} + ": larger than "
                                      + render_byte_size(max_plan_bytes));
  std::error_code error;
  const auto here = fs::absolute(folder.empty() ? "." : folder, error);
  if (error)
    return fail(errc::invalid_plan,
                std::string{name}
                  + ": no working directory: " + error.message());
  complaints wrong{source_text::of(name, text)};
  plan made;
  if (const auto root = parse_json(wrong))
    made = read_whole_plan({*root, wrong}, here);
  if (!wrong.empty())
    return fail(wrong.to_failure());
  return made;
}

} // namespace turnstile::config
