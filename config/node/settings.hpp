#pragma once

#include "config/node/address.hpp"
#include "config/plan/plan.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace turnstile::config {

/// Proof of who a node is: PEM files. All three or none.
struct tls_settings {
  std::string certificate; ///< Of this node.
  std::string key;         ///< Of that certificate.
  std::string authority;   ///< Whose certificates are believed.

  [[nodiscard]] bool wanted() const noexcept {
    return !certificate.empty() || !key.empty() || !authority.empty();
  }

  friend bool operator==(const tls_settings&, const tls_settings&) = default;
};

/// What servers and workers have in common.
struct node_settings {
  std::string name; ///< For peers and people; empty: the machine's.

  /// Where a server listens, or is found.
  config::address address{"127.0.0.1", usual_port};

  tls_settings tls;

  /// Beyond the loopback without TLS: whoever reaches the port is let in.
  bool insecure = false;

  /// From TERM to KILL, of children that are cancelled.
  duration grace = std::chrono::seconds{5};

  /// What this node executes works with. Of a server: beside its workers; may
  /// be empty. Of a worker: not empty.
  std::vector<backend_settings> backends;

  friend bool operator==(const node_settings&, const node_settings&) = default;
};

/// What `turnstile serve` reads.
struct serve_settings : node_settings {
  std::uint32_t concurrency = 1024; ///< Attempts at a time, of all runs.
  std::uint32_t max_runs = 1024;    ///< Runs at a time.
  std::uint32_t max_nodes = 4096;   ///< Workers and clients at a time.

  /// After so long a silence a worker or client counts as lost. Workers hear of
  /// it from their server.
  duration lost_after = std::chrono::seconds{5};

  /// Where runs are kept; nothing: the usual place. Empty: nowhere.
  std::optional<std::string> journal;

  friend bool operator==(const serve_settings&,
                         const serve_settings&) = default;
};

/// What `turnstile worker` reads.
using worker_settings = node_settings;

/// Reads settings, or says what is wrong with them, a line each, as
/// `load_plan` does. What is relative is relative to the file's folder.
result<serve_settings> load_serve_settings(const std::filesystem::path& file);
result<worker_settings> load_worker_settings(const std::filesystem::path& file);

/// The same for settings that are in memory; `name` stands in complaints.
result<serve_settings>
parse_serve_settings(std::string_view text, std::string_view name,
                     const std::filesystem::path& folder);
result<worker_settings>
parse_worker_settings(std::string_view text, std::string_view name,
                      const std::filesystem::path& folder);

/// Says what keeps a node with these settings from being safe: it is reached
/// from beyond the loopback, and has neither TLS nor the word `insecure`; or
/// TLS is there by half.
status may_open(const node_settings& settings);

} // namespace turnstile::config
