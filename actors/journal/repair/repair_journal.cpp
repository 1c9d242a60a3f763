#include "actors/journal/repair/repair_journal.hpp"

#include "actors/journal/ownership.hpp"
#include "actors/journal/repair/salvage.hpp"
#include "actors/journal/sqlite_failure.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace turnstile {

namespace {

/// Of the failures of a disk, one is put otherwise: nothing goes on by itself.
tl::unexpected<failure> not_made(failure why, const std::string& to) {
  if (why.code == errc::storage_full)
    why.detail = to
                 + ": no space is left for a new journal; --to FILE names "
                   "another place";
  return fail(std::move(why));
}

} // namespace

result<repair_report> repair_journal(const std::string& journal,
                                     const std::string& to) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(journal, none))
    return fail(errc::storage_failed, journal + ": there is no journal");
  const auto owner = ownership_file::look_at(journal);
  if (owner && owner->is_held())
    return fail(errc::journal_owned,
                journal
                  + ": a process runs what is in it; wait for its end, or end "
                    "it");
  auto pages = repair::journal_pages::open(journal);
  if (!pages)
    return fail(pages.error());
  auto made = repair::new_journal::make(to);
  if (!made)
    return not_made(made.error(), to);
  repair::salvage all{*pages, **made};
  auto done = guard_sqlite(to, [&]() -> status {
    all.run(journal, owner ? owner->acknowledged() : std::nullopt);
    return {};
  });
  if (done)
    done = (*made)->finish();
  if (!done)
    return not_made(done.error(), to);
  auto report = all.take_report();
  report.journal = journal;
  report.repaired = to;
  return report;
}

} // namespace turnstile
