#include "actors/journal/repair/repair_journal.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/json_text.hpp"
#include "actors/node/look_flags.hpp"
#include "actors/node/print.hpp"
#include "actors/node/standard_streams.hpp"

#include <cstdint>
#include <string>

namespace turnstile::node {

namespace {

json object_of(const repair_report& report) {
  auto lost = json::array();
  for (const auto& one : report.lost)
    lost.push_back({{"run", one.run},
                    {"what", one.what},
                    {"name", one.name},
                    {"text", one.text}});
  return {{"journal", report.journal},
          {"repaired", report.repaired},
          {"kept",
           {{"runs", report.requests},
            {"tasks", report.works},
            {"events", report.events}}},
          {"bad_pages", report.bad_pages},
          {"bad_frames", report.bad_frames},
          {"lost", std::move(lost)}};
}

std::string counted(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string text_of(const repair_report& report) {
  std::string text;
  for (const auto page : report.bad_pages)
    text.append(report.journal)
      .append(": page ")
      .append(std::to_string(page))
      .append(" cannot be read\n");
  for (const auto& one : report.lost)
    text.append("lost: ").append(one.text).append("\n");
  text.append(report.repaired)
    .append(": ")
    .append(counted(report.requests, "run"))
    .append(", ")
    .append(counted(report.works, "task"))
    .append(", ")
    .append(counted(report.events, "event"));
  return text.append(report.lost.empty() ? "; nothing is lost\n"
                                         : "; not all could be saved\n");
}

} // namespace

int repair_journal(const look_flags& flags) {
  const auto to = flags.to.empty() ? flags.journal + ".repaired" : flags.to;
  auto report = turnstile::repair_journal(flags.journal, to);
  if (!report)
    return complain(report.error());
  if (!print(flags.json ? write_json(object_of(*report), 2) + '\n'
                        : text_of(*report)))
    return exit_tasks_failed;
  return report->lost.empty() ? exit_ok : exit_partly_repaired;
}

} // namespace turnstile::node
