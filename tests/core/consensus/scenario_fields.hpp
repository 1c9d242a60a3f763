#pragma once

#include "core/consensus/frame.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

// A conversation of ranks, field by field: what tests change in turn.
namespace turnstile::scenario {

/// What stands before the words of every frame, and how to change it.
using header_change = std::pair<std::string, void (*)(frame&)>;
inline const std::array<header_change, 8> header{{
  {"kind is ", [](frame& f) { f.kind = frame_kind::disposition; }},
  {"format is ", [](frame& f) { ++f.format; }},
  {"protocol is ", [](frame& f) { ++f.protocol; }},
  {"epoch is ", [](frame& f) { ++f.epoch; }},
  {"round is ", [](frame& f) { ++f.round; }},
  {"rank is ", [](frame& f) { ++f.rank; }},
  {"clock is ", [](frame& f) { f.clock += duration{1}; }},
  {"length is ", [](frame& f) { ++f.length; }},
}};

/// One round of the scenario: the names of its words.
using names = std::vector<std::string>;

inline names command(const std::string& place, const std::string& prefix) {
  names all;
  for (const auto* field : {"kind", "request", "life", "sequence", "works",
                            "remaining", "policy", "digest", "ready"})
    all.push_back(prefix + "command " + place + ": " + field);
  return all;
}

inline names operator+(names a, const names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline const std::string seen = "observation: ";
inline const std::string plan = "schedule: ";

/// The first turn registers Alice and Bob and gives them a note each; Bob's is
/// due at once. In the second, Alice's is done, and Bob's has expired.
inline const std::vector<names> rounds{
  names{seen + "expired requests", seen + "works", seen + "commands"}
    + command("0", seen) + command("1", seen) + command("2", seen)
    + command("3", seen),
  {plan + "works", plan + "work 1/0: request", plan + "work 1/0: life",
   plan + "work 1/0: sequence", plan + "work 1/0: prepared",
   plan + "work 1/0: descriptor length", plan + "work 1/0: descriptor word 0",
   plan + "commits", plan + "commands", plan + "command 0: result",
   plan + "command 1: result", plan + "command 2: result",
   plan + "command 3: result"},
  {seen + "expired requests", seen + "expired request 0: request",
   seen + "works", seen + "work 1/0: request", seen + "work 1/0: life",
   seen + "work 1/0: sequence", seen + "work 1/0: seen", seen + "commands"},
  {plan + "works", plan + "commits", plan + "commit 1/0: request",
   plan + "commit 1/0: life", plan + "commit 1/0: sequence",
   plan + "commit 1/0: committed", plan + "commands"},
};

} // namespace turnstile::scenario
