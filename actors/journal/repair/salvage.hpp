#pragma once

#include "actors/journal/repair/new_journal.hpp"
#include "actors/journal/repair/pages.hpp"
#include "actors/journal/repair/repair_journal.hpp"
#include "actors/journal/repair/rows.hpp"
#include "messages/journal.pb.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace turnstile::repair {

/// Brings what can be read of a damaged journal into a new one, and notes what
/// is lost. Rows are read twice where something is missing, never all at once.
class salvage {
public:
  /// Both must outlive it.
  salvage(const journal_pages& pages, new_journal& into);

  /// @param told how many facts were acknowledged, if that is known
  /// @throws SQLite::Exception if the new journal cannot be written
  void run(const std::string& journal, std::optional<std::uint64_t> told);

  repair_report take_report() { return std::move(report_); }

private:
  /// A request, as far as it is known.
  struct request {
    row_place where;
    std::optional<row> made; ///< Of what others know, if its own row is lost.
    std::string called;      ///< "run ID (label)".
    std::string name;
    wire::OpenedFact opened;
    std::optional<wire::Tally> tally;
    bool is_cut_off = false; ///< Its beginning is lost: nobody can resume it.
    bool is_closed = false;
    bool has_state = false; ///< As bytes, readable or not.
  };

  /// How much of a work is there.
  enum class left { whole, without_attempts, without_end, nothing };

  /// What is known of one place in a request's order of works.
  struct work {
    std::optional<row_place> where;
    left is = left::nothing;
    std::uint64_t place = 0; ///< Of its end; 0: it has none.
    std::string word;
    std::string label;
  };

  void read_requests();
  void know(const row& it, const row_place& where);
  std::map<std::int64_t, row> lost_requests();
  void name_lost(std::map<std::int64_t, row>& lost);
  std::string name_in_index(std::int64_t key);
  void bring_works(std::int64_t key, request& whose);
  void copy_works(std::span<const row_place> rows);
  std::vector<work> look_at_works(std::int64_t key, const request& whose);
  left judge(const row& it, const request& whose) const;
  void mend_works(std::int64_t key, request& whose, std::vector<work>& works);
  void put_lost_work(std::int64_t key, std::uint64_t sequence,
                     const request& whose, const work& one);
  void put_work(row&& it);
  void bring_request(request& whose);
  void bring_events();
  void bring_stream(std::int64_t key, std::span<const row_place> rows);
  void bring_event(row&& it);
  void put_gap(std::int64_t stream, const std::string& run, std::uint64_t first,
               std::uint64_t last, std::int64_t ts_ns);
  void bring_memos();
  void bring_owner(const std::string& journal,
                   std::optional<std::uint64_t> told);
  void note_log(const std::string& journal);
  void note_unknown();
  bool is_any_whole(std::initializer_list<const char*> names) const;
  void lose(std::string run, std::string what, std::string name,
            std::string text);
  std::string label_of(std::int64_t work) const;
  std::span<const row_place> works_of(std::int64_t key) const;

  const journal_pages& pages_;
  new_journal& into_;
  row_reader reader_;
  journal_rows rows_;
  journal_names names_; ///< Empty if no page is bad.
  bool is_damaged_ = false;
  repair_report report_;
  std::map<std::int64_t, request> requests_;    ///< By key.
  std::unordered_set<std::int64_t> lost_works_; ///< Their end, at least.
  std::unordered_map<std::string, std::pair<std::int64_t, std::int64_t>>
    memos_; ///< By key: when the work ended, and which.
  std::int64_t epoch_ = 0;
  std::int64_t lives_ = 0;
};

} // namespace turnstile::repair
