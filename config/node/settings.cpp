#include "config/node/settings.hpp"

#include "config/plan/byte_size.hpp"
#include "config/plan/json/parse.hpp"
#include "config/plan/json/reads.hpp"
#include "config/plan/json/record.hpp"
#include "config/plan/plan_limits.hpp"
#include "config/plan/read/backends.hpp"
#include "config/plan/text/read_file.hpp"

#include <array>
#include <utility>

namespace turnstile::config {

namespace fs = std::filesystem;

namespace {

constexpr auto serve_keys = std::to_array<std::string_view>(
  {"name", "listen", "tls", "insecure", "grace", "concurrency", "max_runs",
   "max_nodes", "lost_after", "journal", "backends", "$schema"});

constexpr auto worker_keys = std::to_array<std::string_view>(
  {"name", "connect", "tls", "insecure", "grace", "backends", "$schema"});

constexpr auto tls_keys =
  std::to_array<std::string_view>({"certificate", "key", "authority"});

std::optional<address> read_address(const field& where) {
  const auto text = read_string(where);
  if (!text)
    return std::nullopt;
  auto parsed = parse_address(*text);
  if (parsed)
    return *std::move(parsed);
  where.complain(parsed.error().detail);
  return std::nullopt;
}

/// A file that is relative to the settings' own folder.
std::optional<std::string> read_path(const field& where,
                                     const fs::path& folder) {
  const auto text = read_system_string(where);
  if (!text)
    return std::nullopt;
  if (text->empty()) {
    where.expected("a file");
    return std::nullopt;
  }
  return (folder / *text).string();
}

std::optional<tls_settings> read_tls(const field& where,
                                     const fs::path& folder) {
  const record object{where, tls_keys};
  tls_settings tls;
  for (auto [key, into] :
       {std::pair{"certificate", &tls.certificate}, std::pair{"key", &tls.key},
        std::pair{"authority", &tls.authority}})
    if (const auto member = object.require(key))
      if (auto path = read_path(*member, folder))
        *into = *std::move(path);
  return tls;
}

void read_common(const record& object, const fs::path& folder,
                 node_settings& made) {
  object.read("name", made.name, read_name);
  object.read("tls", made.tls, read_tls, folder);
  object.read("insecure", made.insecure, read_boolean);
  object.read("grace", made.grace, read_duration_or_zero);
  if (const auto schema = object.find("$schema"))
    (void)read_string(*schema);
}

void read(const field& root, const fs::path& folder, serve_settings& made) {
  const record object{root, serve_keys};
  read_common(object, folder, made);
  object.read("listen", made.address, read_address);
  object.read("concurrency", made.concurrency, read_number<std::uint32_t>, 1u);
  object.read("max_runs", made.max_runs, read_number<std::uint32_t>, 1u);
  object.read("max_nodes", made.max_nodes, read_number<std::uint32_t>, 1u);
  object.read("lost_after", made.lost_after, read_duration);
  if (const auto journal = object.find("journal")) {
    if (journal->written() == "false")
      made.journal = "";
    else if (auto path = read_path(*journal, folder))
      made.journal = *std::move(path);
  }
  if (const auto backends = object.find("backends"))
    made.backends = read_backends(*backends);
}

void read(const field& root, const fs::path& folder, worker_settings& made) {
  const record object{root, worker_keys};
  read_common(object, folder, made);
  object.read("connect", made.address, read_address);
  if (const auto backends = object.require("backends"))
    made.backends = read_backends(*backends);
}

template <class Settings>
result<Settings> parse(std::string_view text, std::string_view name,
                       const fs::path& folder) {
  complaints wrong{source_text::of(name, text)};
  Settings made;
  if (const auto root = parse_json(wrong))
    read(field{*root, wrong}, folder, made);
  if (!wrong.empty())
    return fail(wrong.to_failure());
  return made;
}

template <class Settings>
result<Settings> load(const fs::path& file) {
  const auto name = file.string();
  const auto text = read_file(file, max_plan_bytes);
  if (!text)
    return fail(errc::invalid_plan, name + ": " + text.error().detail);
  return parse<Settings>(*text, name, file.parent_path());
}

} // namespace

result<serve_settings> load_serve_settings(const fs::path& file) {
  return load<serve_settings>(file);
}

result<worker_settings> load_worker_settings(const fs::path& file) {
  return load<worker_settings>(file);
}

result<serve_settings> parse_serve_settings(std::string_view text,
                                            std::string_view name,
                                            const fs::path& folder) {
  return parse<serve_settings>(text, name, folder);
}

result<worker_settings> parse_worker_settings(std::string_view text,
                                              std::string_view name,
                                              const fs::path& folder) {
  return parse<worker_settings>(text, name, folder);
}

status may_open(const node_settings& settings) {
  for (const auto& [file, what] :
       {std::pair{&settings.tls.certificate, "certificate"},
        std::pair{&settings.tls.key, "key"},
        std::pair{&settings.tls.authority, "authority"}})
    if (settings.tls.wanted() && file->empty())
      return fail(errc::invalid_argument,
                  "a certificate, its key and an authority go together; the "
                    + std::string{what} + " is missing");
  if (settings.tls.wanted() || settings.insecure
      || is_loopback(settings.address))
    return {};
  return fail(errc::invalid_argument,
              to_string(settings.address)
                + " is reached from beyond this machine, and would let in "
                  "everybody: give tls certificates, or say insecure if the "
                  "network is your own");
}

} // namespace turnstile::config
