#!/usr/bin/env bash
# Which room may know what. Prints each line that breaks a rule, and fails if
# there was one. Usage: layers.sh [repository root]
#
#   examples, tests -> node -> config, actors -> messages -> core
#
# caf (actors/caf/, the version seam) and schema (messages/schema/) are bottom
# rooms beside messages.
set -euo pipefail
cd "${1:-.}"

find . -regextype posix-extended -type f \
  -regex '\./(core|messages|actors|config|examples|tests)/.*\.(hpp|cpp|h)' \
  -printf '%P\0' |
  LC_ALL=C sort -z | LC_ALL=C xargs -0 -r awk '
BEGIN {
  # room -> what its files may include, in the words of origin() below
  may["core"]     = "core std expected"
  may["messages"] = "core messages std expected protobuf"
  may["schema"]   = "core schema std expected library"
  may["caf"]      = "core caf std expected protobuf CAF CAF-network"
  may["actors"]   = may["caf"] " messages schema actors library"
  may["testing"]  = may["actors"] " testing"
  may["config"]   = "core caf schema config std expected CAF library"
  may["node"]     = may["testing"] " config node"
  may["examples"] = may["node"] " examples"
  may["tests"]    = may["examples"] " tests"

  bottom = "^(core|messages|schema)$"
  rule(bottom, "(steady|system|high_resolution|utc|file)_clock|::now *\\(|" \
    "clock_gettime|gettimeofday|[^a-z_]time *\\( *(0|NULL|nullptr) *\\)",
    "is told the time, it never asks")
  threads = "jthread|thread|mutex|shared_mutex|condition_variable|future|" \
    "semaphore|latch|barrier|stop_token"
  rule(bottom, "# *include *<(" threads ")>|std::(" threads ")[^a-z_]|" \
    "std::(this_thread|async|promise|call_once)|" \
    "std::(lock_guard|unique_lock|scoped_lock|counting_semaphore)",
    "has no threads and no locks")
  rule(bottom, "# *include *<(fstream|filesystem|iostream)>|" \
    "std::([io]?fstream|filesystem|cout|cerr|clog)|fopen *\\(|getenv *\\(",
    "reads and writes no files, consoles or environment")
  rule(bottom, "random_device|[^a-z_]s?rand *\\(",
    "is given its chance as a seed")

  beside_caf = "^(core|messages|actors|testing|config|node|examples|tests)$"
  rule(beside_caf, "CAF_(MAJOR_|MINOR_|PATCH_)?VERSION|TURNSTILE_OLD_CAF",
    "must not ask which CAF this is: only actors/caf may")
  rule(beside_caf, "caf::meta|caf/meta/|test_coordinator|atom_constant|" \
    "atom_value|caf::atom *\\(|(replies_to|reacts_to) *<",
    "must not use what CAF 1.x has removed: only actors/caf may")
}

function rule(rooms, text, sentence) {
  ++rules
  rule_rooms[rules] = rooms
  rule_text[rules] = text
  rule_sentence[rules] = sentence
}

function room_of(path) {
  if (path ~ "^(actors/(caf|testing|node)|messages/schema)/")
    sub("^[a-z]+/", "", path)
  sub("/.*", "", path)
  return path in may ? path : ""
}

# Where an included header comes from: a room or a kind of library.
function origin(header,  name) {
  name = substr(header, 2, length(header) - 2)
  if (header ~ /^"/)
    return room_of(name) != "" ? room_of(name) : "a path that no room begins"
  if (name == "tl/expected.hpp")
    return "expected"
  if (name ~ "^[a-z0-9_]+$") # no folder, no dot
    return "std"
  if (name ~ "^google/protobuf/")
    return "protobuf"
  if (name ~ "^caf/(io|openssl)/")
    return "CAF-network"
  return name ~ "^caf/" ? "CAF" : "library"
}

function report(sentence) {
  printf "%s:%d: %s: %s\n", FILENAME, FNR, sentence, line
  bad = 1
}

FNR == 1 { room = room_of(FILENAME) }

{
  line = $0
  sub("//.*", "", line) # comments may name anything
  for (i = 1; i <= rules; ++i)
    if (room ~ rule_rooms[i] && line ~ rule_text[i])
      report(room " " rule_sentence[i])
}

line ~ /^ *# *include/ {
  match(line, /["<].*[">]/)
  from = origin(substr(line, RSTART, RLENGTH))
  if (index(" " may[room] " ", " " from " ") == 0)
    report(room " must not include " from)
  if (room == "schema" && from == "library" && FILENAME !~ "/draft7/")
    report("only messages/schema/draft7/ may include a library")
  if (from == "CAF-network") {
    if (network == "")
      network = FILENAME # compiling it takes seconds: once is enough
    if (network != FILENAME || FILENAME !~ /\.cpp$/)
      report("only one .cpp of all includes caf/io")
  }
}

END { exit bad }
' >&2
