#pragma once

#include "actors/backend/submission_key.hpp"
#include "messages/node.pb.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace turnstile {

/// Which workers there are, what they offer, and what each of them has. Knows
/// no actor and no time.
///
/// Invariants:
/// (1) A worker is given no more submissions of a backend than it has offered
///     slots (what was parked and goes on may exceed them), and each is in
///     `at_` exactly once.
/// (2) What waits in a line, waits for a backend of which no worker has a free
///     slot.
class worker_book {
public:
  /// Where a submission is.
  struct place {
    std::uint64_t link = 0; ///< The worker's; 0: it waits for one.
    std::string backend;
    bool parked = false; ///< It takes no slot.
  };

  /// Adds the worker of a link, of which there is none.
  void join(std::uint64_t link, const wire::Hello& hello);

  /// Takes a worker away. @returns what it had, in the order of identities
  std::vector<submission_key> leave(std::uint64_t link);

  /// Gives a worker nothing more.
  void retire(std::uint64_t link);

  [[nodiscard]] bool knows(std::uint64_t link) const;

  /// Whether a worker wants nothing more and has nothing.
  [[nodiscard]] bool is_done(std::uint64_t link) const;

  /// Makes a backend known that nobody may offer yet.
  void expect(const std::string& backend) { lines_[backend]; }

  /// Chooses a worker for a submission, of those with a free slot the one with
  /// the greatest share of its slots free; or puts it in its backend's line.
  /// @pre it has no place
  /// @returns its worker's link, 0 if it waits, nothing if no worker offers its
  ///          backend
  std::optional<std::uint64_t> put(const submission_key& key,
                                   const std::string& backend);

  /// Takes a submission out. @returns where it was, nothing if it had ended
  std::optional<place> take(const submission_key& key);

  /// Where a submission is.
  [[nodiscard]] const place* find(const submission_key& key) const;

  /// Gives a submission's slot back, or takes it again, be it free or not.
  void set_parked(const submission_key& key, bool parked);

  /// Places the next that waits for a backend, if a worker has a slot for it.
  struct placed {
    submission_key key;
    std::uint64_t link = 0;
  };
  std::optional<placed> place_next(const std::string& backend);

  /// Takes out what waits for a backend that nobody offers any more.
  std::vector<submission_key> take_hopeless(const std::string& backend);

  /// How many submissions of a backend all workers together take.
  [[nodiscard]] std::uint64_t slots(const std::string& backend) const;

  /// What the worker of a link is called. @pre it is known
  [[nodiscard]] const std::string& name_of(std::uint64_t link) const {
    return workers_.at(link).name;
  }

  /// The backends that a worker has offered.
  [[nodiscard]] std::vector<std::string> offered_by(std::uint64_t link) const;

  /// All that were ever offered or expected.
  [[nodiscard]] std::vector<std::string> backends() const;

  /// What workers say that a backend is able to do; of one of them.
  [[nodiscard]] wire::BackendCapabilities
  able(const std::string& backend) const;

  /// The terms of a backend, with the slots of all workers together.
  [[nodiscard]] wire::BackendTerms terms(const std::string& backend) const;

  [[nodiscard]] std::vector<wire::WorkerStatus> look() const;

  /// Checks the invariants. For tests.
  void audit() const;

private:
  struct offer {
    std::uint64_t slots = 0;
    std::uint64_t taken = 0;
    wire::OfferedBackend what;
  };
  struct worker {
    std::string name;
    std::uint64_t incarnation = 0;
    std::string version;
    bool leaving = false;
    std::map<std::string, offer> offers;
    std::set<submission_key> has;
  };

  [[nodiscard]] std::uint64_t best_for(const std::string& backend) const;
  [[nodiscard]] bool is_offered(const std::string& backend) const;
  void give(const submission_key& key, place& where, std::uint64_t link);

  std::map<std::uint64_t, worker> workers_;
  std::map<submission_key, place> at_;

  /// By backend, and by when they came.
  std::map<std::string, std::map<std::uint64_t, submission_key>> lines_;
  std::map<submission_key, std::uint64_t> waits_at_;
  std::uint64_t arrivals_ = 0;
};

} // namespace turnstile
