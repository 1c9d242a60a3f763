#pragma once

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

namespace turnstile::testing {

/// Takes what actors log from this level on, as long as it is there.
class log_reader {
public:
  explicit log_reader(spdlog::level::level_enum level)
    : before_(spdlog::default_logger()) {
    auto logger = std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(out_));
    logger->set_pattern("%v");
    logger->set_level(level);
    spdlog::set_default_logger(std::move(logger));
  }

  log_reader(const log_reader&) = delete;
  ~log_reader() { spdlog::set_default_logger(before_); }

  /// All lines, with RUN for the run's id.
  [[nodiscard]] std::string text(const std::string& run_id) const {
    auto all = out_.str();
    for (auto at = all.find(run_id); at != all.npos; at = all.find(run_id))
      all.replace(at, run_id.size(), "RUN");
    return all;
  }

  /// All lines as they are.
  [[nodiscard]] std::string text() const { return out_.str(); }

private:
  std::ostringstream out_;
  std::shared_ptr<spdlog::logger> before_;
};

} // namespace turnstile::testing
