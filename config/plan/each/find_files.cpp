#include "config/plan/each/find_files.hpp"

#include "config/plan/byte_size.hpp"
#include "config/plan/each/segment_pattern.hpp"
#include "config/plan/text/quote.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace turnstile::config {

namespace {

namespace fs = std::filesystem;

// Places in the pattern where a path may stand, lowest first.
using positions = std::vector<std::size_t>;

// Beyond these a pattern is refused: what asks for more is a mistake, or wants
// to keep us busy.
constexpr std::size_t max_pattern_bytes = 4096; // As long as a path may be.
constexpr std::size_t max_segments = 64;

// A pattern in two halves: names that are taken as they are, so that `..` and
// folders without read permission work, and segments to look for below them.
struct file_pattern {
  std::string start; // Empty or with a slash at its end.
  std::vector<segment_pattern> segments;
};

result<file_pattern> parse_pattern(std::string_view text) {
  if (text.size() > max_pattern_bytes)
    return fail(errc::invalid_plan, "expected a pattern of at most "
                                      + render_byte_size(max_pattern_bytes));
  file_pattern pattern;
  if (text.starts_with('/'))
    pattern.start = "/";
  for (std::size_t at = 0; at < text.size();) {
    const auto slash = std::min(text.find('/', at), text.size());
    const auto segment = text.substr(at, slash - at);
    at = slash + 1;
    if (segment.empty())
      continue;
    auto parsed = segment_pattern::parse(segment);
    if (!parsed)
      return fail(std::move(parsed.error()));
    if (pattern.segments.empty() && parsed->is_name() && at <= text.size()) {
      pattern.start.append(segment) += '/';
      continue;
    }
    if (segment == "." || segment == "..")
      return fail(errc::invalid_plan, in_quotes(text) + " has "
                                        + in_quotes(segment)
                                        + " after a wildcard or at its end");
    pattern.segments.push_back(*std::move(parsed));
    if (pattern.segments.size() > max_segments)
      return fail(errc::invalid_plan, in_quotes(text) + " has more than "
                                        + std::to_string(max_segments)
                                        + " segments from its first wildcard");
  }
  if (pattern.segments.empty() || text.ends_with('/'))
    return fail(errc::invalid_plan,
                "expected a pattern of files, found " + in_quotes(text));
  return pattern;
}

class file_search {
public:
  file_search(file_pattern pattern, const fs::path& folder,
              std::size_t max_files, std::size_t max_entries)
    : pattern_(std::move(pattern)), folder_(folder), max_files_(max_files),
      max_entries_(max_entries) {}

  // Every folder is visited once, with all places in the pattern that its path
  // can have: so no file is found twice, however many `**` there are.
  result<std::vector<std::string>> run() {
    positions begin;
    reach(begin, 0);
    waiting_.emplace_back(pattern_.start, std::move(begin));
    while (!waiting_.empty()) {
      const auto [path, at] = std::move(waiting_.back());
      waiting_.pop_back();
      if (auto visited = visit(path, at); !visited)
        return fail(std::move(visited.error()));
    }
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

private:
  [[nodiscard]] bool is_last(std::size_t position) const {
    return position + 1 == pattern_.segments.size();
  }

  // Adds `position`, and the one behind it if it is `**`, which may be nothing.
  void reach(positions& at, std::size_t position) const {
    if (std::find(at.begin(), at.end(), position) != at.end())
      return;
    at.push_back(position);
    if (pattern_.segments[position].is_any_depth() && !is_last(position))
      reach(at, position + 1);
  }

  [[nodiscard]] bool is_match(std::string_view name,
                              const positions& at) const {
    return std::any_of(at.begin(), at.end(), [&](auto position) {
      return is_last(position) && pattern_.segments[position].matches(name);
    });
  }

  [[nodiscard]] positions below(const fs::directory_entry& entry,
                                std::string_view name,
                                const positions& at) const {
    std::error_code ignored;
    const bool is_link = entry.is_symlink(ignored);
    positions next;
    for (const auto position : at) {
      const auto& segment = pattern_.segments[position];
      if (!segment.matches(name))
        continue;
      if (segment.is_any_depth() && !is_link)
        reach(next, position);
      if (!segment.is_any_depth() && !is_last(position))
        reach(next, position + 1);
    }
    return next;
  }

  status visit(const std::string& path, const positions& at) {
    std::error_code error;
    auto entry = fs::directory_iterator{folder_ / path, error};
    for (; !error && entry != fs::directory_iterator{};
         entry.increment(error)) {
      if (++entries_ > max_entries_)
        return fail(errc::invalid_plan, "more than "
                                          + std::to_string(max_entries_)
                                          + " files and folders to look at");
      const auto name = entry->path().filename().string();
      std::error_code gone; // A link to nowhere is neither file nor folder.
      if (entry->is_directory(gone)) {
        if (auto next = below(*entry, name, at); !next.empty())
          waiting_.emplace_back(path + name + '/', std::move(next));
      } else if (is_match(name, at) && entry->is_regular_file(gone)) {
        found_.push_back(path + name);
        if (found_.size() > max_files_)
          return fail(errc::invalid_plan, "more than "
                                            + std::to_string(max_files_)
                                            + " files match");
      }
    }
    if (!error)
      return {};
    return fail(errc::invalid_plan, "cannot read the folder "
                                      + in_quotes(path.empty() ? "." : path)
                                      + ": " + error.message());
  }

  file_pattern pattern_;
  const fs::path& folder_;
  std::size_t max_files_;
  std::size_t max_entries_;
  std::size_t entries_ = 0;
  std::vector<std::pair<std::string, positions>> waiting_;
  std::vector<std::string> found_;
};

} // namespace

result<std::vector<std::string>> find_files(std::string_view pattern,
                                            const fs::path& folder,
                                            std::size_t max_files,
                                            std::size_t max_entries) {
  auto parsed = parse_pattern(pattern);
  if (!parsed)
    return fail(std::move(parsed.error()));
  auto found =
    file_search{*std::move(parsed), folder, max_files, max_entries}.run();
  if (found && found->empty())
    return fail(errc::invalid_plan, "no file matches " + in_quotes(pattern));
  return found;
}

} // namespace turnstile::config
