#pragma once

#include <spdlog/common.h>
#include <spdlog/spdlog.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile {

/// One line of a log: the stable name of an event, then `key=value` pairs.
///
/// A value of letters, digits and `_-.:/+%@,` stands as it is; every other one
/// is a JSON string. So a line has no line break inside, whatever a task is
/// called, and can be read by programs: split at blanks outside quotes.
class log_line {
public:
  explicit log_line(std::string_view event) : text_(event) {}

  /// Adds a pair. `key` is a word of ours, never text from outside.
  log_line& operator()(std::string_view key, std::string_view value);

  template <std::integral Number>
  log_line& operator()(std::string_view key, Number value) {
    return (*this)(key, std::string_view{std::to_string(value)});
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
  std::string text_;
};

/// Logs an event; `fill` is called with its line, and only if somebody reads
/// that level.
template <std::invocable<log_line&> Fill>
void log_event(spdlog::level::level_enum level, std::string_view event,
               Fill fill) {
  auto* logger = spdlog::default_logger_raw();
  if (logger == nullptr || !logger->should_log(level))
    return;
  log_line line{event};
  fill(line);
  logger->log(level, spdlog::string_view_t{line.text()});
}

} // namespace turnstile
