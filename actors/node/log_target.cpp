#include "actors/node/log_target.hpp"

#include "actors/node/standard_streams.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace turnstile::node {

namespace {

/// Writes each line to a descriptor as a whole. A line that cannot be written
/// is lost: logging never stops a run.
class descriptor_sink : public spdlog::sinks::base_sink<std::mutex> {
public:
  descriptor_sink(int fd, bool owned) : fd_(fd), owned_(owned) {}

  ~descriptor_sink() override {
    if (owned_)
      close(fd_);
  }

  descriptor_sink(const descriptor_sink&) = delete;
  descriptor_sink& operator=(const descriptor_sink&) = delete;

protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (!write_whole(fd_, {line.data(), line.size()}) && owned_
        && !std::exchange(complained_, true))
      write_whole(STDERR_FILENO,
                  std::string{"turnstile: cannot write the log: "}
                    + std::strerror(errno) + "\n");
  }

  void flush_() override {}

private:
  int fd_;
  bool owned_;
  bool complained_ = false;
};

} // namespace

status send_log(const log_flags& flags, bool over_progress) {
  auto fd = STDERR_FILENO;
  if (!flags.file.empty()) {
    fd =
      open(flags.file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
      return fail(errc::invalid_argument,
                  "--log-file: " + flags.file + ": " + std::strerror(errno));
  }
  auto logger = std::make_shared<spdlog::logger>(
    "turnstile",
    std::make_shared<descriptor_sink>(fd, /*owned=*/!flags.file.empty()));
  const auto* wipe = over_progress && flags.file.empty() ? "\r\033[K" : "";
  logger->set_pattern(std::string{wipe} + "%Y-%m-%dT%H:%M:%S.%f%z %l %v");
  logger->set_level(spdlog::level::from_str(flags.level));
  spdlog::set_default_logger(std::move(logger));
  return {};
}

} // namespace turnstile::node
