#include "core/consensus/agreement.hpp"

#include "core/work/work_table.hpp"

#include <string>
#include <string_view>

namespace turnstile {

namespace {

status differs(const frame& other, std::size_t rank, std::string_view field,
               std::uint64_t ours, std::uint64_t theirs) {
  return fail(errc::consensus,
              "rank " + std::to_string(rank) + " differs in round "
                + std::to_string(other.round) + ": " + std::string{field}
                + " is " + std::to_string(theirs) + " there and "
                + std::to_string(ours) + " here");
}

/// Compares everything but the words.
status same_header(const frame& ours, const frame& theirs, std::size_t rank) {
  const auto number = [](auto x) { return static_cast<std::uint64_t>(x); };
  if (theirs.kind != ours.kind)
    return differs(theirs, rank, "kind", number(ours.kind),
                   number(theirs.kind));
  if (theirs.format != ours.format)
    return differs(theirs, rank, "format", ours.format, theirs.format);
  if (theirs.protocol != ours.protocol)
    return differs(theirs, rank, "protocol", ours.protocol, theirs.protocol);
  if (theirs.epoch != ours.epoch)
    return differs(theirs, rank, "epoch", ours.epoch, theirs.epoch);
  if (theirs.round != ours.round)
    return differs(theirs, rank, "round", ours.round, theirs.round);
  if (theirs.rank != rank)
    return differs(theirs, rank, "rank", rank, theirs.rank);
  if (theirs.words.size() != ours.words.size())
    return differs(theirs, rank, "length", ours.words.size(),
                   theirs.words.size());
  return {};
}

status same_but(const frame& local, const std::vector<frame>& all,
                const std::vector<bool>& may_differ) {
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto& theirs = all[rank];
    if (auto same = same_header(local, theirs, rank); !same)
      return same;
    for (std::size_t i = 0; i < local.words.size(); ++i)
      if (local.words[i] != theirs.words[i]
          && (rank == local.rank || !may_differ[i]))
        return differs(theirs, rank, "word " + std::to_string(i),
                       local.words[i], theirs.words[i]);
  }
  return {};
}

} // namespace

result<std::optional<std::vector<frame>>>
mirror_group::gather(const frame& local) {
  std::vector<frame> all(ranks_, local);
  for (std::size_t rank = 0; rank < ranks_; ++rank)
    all[rank].rank = rank;
  return all;
}

status agree(const frame& local, const std::vector<frame>& all) {
  return same_but(local, all, std::vector<bool>(local.words.size(), false));
}

result<std::vector<resolution>> resolve(const frame& local,
                                        const std::vector<frame>& all) {
  const auto expired = local.words[0];
  const auto works_at = 1 + expired;
  const auto works = local.words[works_at];
  std::vector<bool> may_differ(local.words.size(), false);
  auto seen_at = [&](std::uint64_t work) { return works_at + 4 * (work + 1); };
  for (std::uint64_t work = 0; work < works; ++work)
    may_differ[seen_at(work)] = true;
  if (auto same = same_but(local, all, may_differ); !same)
    return fail(same.error());
  std::vector<resolution> resolved;
  resolved.reserve(works);
  for (std::uint64_t work = 0; work < works; ++work) {
    bool failed = false;
    bool incomplete = false;
    for (const auto& theirs : all) {
      const auto seen = theirs.words[seen_at(work)];
      if (seen > static_cast<std::uint64_t>(observation::failed))
        return fail(errc::consensus,
                    "rank " + std::to_string(theirs.rank)
                      + " saw something unknown of a work in round "
                      + std::to_string(theirs.round) + ": "
                      + std::to_string(seen));
      failed |= seen == static_cast<std::uint64_t>(observation::failed);
      incomplete |= seen == static_cast<std::uint64_t>(observation::incomplete);
    }
    resolved.push_back(
      failed ? (incomplete ? resolution::failed_pending
                           : resolution::failed_complete)
             : (incomplete ? resolution::incomplete : resolution::complete));
  }
  return resolved;
}

} // namespace turnstile
