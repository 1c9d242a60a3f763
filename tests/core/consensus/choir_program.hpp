#pragma once

#include "core/turn/scheduler.hpp"
#include "tests/core/alice_and_bob.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// What goes wrong on one rank: calls by name, and what they say.
struct mood {
  std::map<std::string, std::string> fails;

  [[nodiscard]] status may(const std::string& call) const {
    if (auto found = fails.find(call); found != fails.end())
      return fail(errc::backend_lost, found->second);
    return {};
  }
};

/// A note to sing: it is added to its request's song.
struct note {
  std::uint32_t pitch = 1;
  const mood* of = nullptr; ///< The rank's; null: nothing goes wrong.

  status encode_descriptor(std::vector<std::uint32_t>& words) const {
    words.push_back(pitch);
    return of == nullptr ? status{} : of->may("descriptor");
  }
};

/// A request's state: what was sung so far.
struct song {
  using branch_type = std::string;

  std::string sung;
  const mood* of = nullptr;
  bool parallel = true;

  [[nodiscard]] result<branch_type> branch() const {
    if (of != nullptr)
      if (auto may = of->may("branch"); !may)
        return fail(may.error());
    return std::string{};
  }

  static status apply(branch_type& branch, std::string& heard) {
    if (heard == "out of tune")
      return fail(errc::completion, heard);
    branch = heard;
    return {};
  }

  status commit_branch(branch_type branch) {
    if (of != nullptr)
      if (auto may = of->may("commit"); !may)
        return may;
    sung += branch;
    return {};
  }

  [[nodiscard]] bool permits_parallel_branches() const { return parallel; }
  [[nodiscard]] result<std::string> encode() const { return sung; }
  static result<song> decode(const std::string& bytes) {
    return song{bytes, nullptr, true};
  }
};

/// A program whose completions carry what was heard.
struct singing {
  struct output_type {
    [[nodiscard]] std::uint64_t retained_resources() const { return 1; }
  };

  using work_type = note;
  using state_type = song;
  using outcome_type = std::string;
};

using singer = scheduler<singing>;

} // namespace turnstile
