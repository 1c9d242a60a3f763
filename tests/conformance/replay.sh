#!/usr/bin/env bash
# Replays every script of a folder through the driver and compares its answers
# with the trace beside it, line for line. After `poison` only `none` against
# any text is told apart, since our wording is ours.
# Usage: replay.sh DRIVER FOLDER
set -uo pipefail
driver=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
replayed=0
differing=0

# Replaces the answers to `poison` by `none` or `some`. $1 script, $2 answers.
blur_poison() {
  awk 'NR == FNR { if ($1 != "" && $1 !~ /^#/) op[++ops] = $1; next }
       op[FNR] == "poison" { $0 = ($0 == "none" ? "none" : "some") }
       { print }' "$1" "$2"
}

for script in "$folder"/*.txt; do
  trace=${script%.txt}.trace
  replayed=$((replayed + 1))
  if ! "$driver" <"$script" >"$scratch/answers"; then
    echo "$script: the driver broke off" >&2
    differing=$((differing + 1))
    continue
  fi
  blur_poison "$script" "$scratch/answers" >"$scratch/ours"
  blur_poison "$script" "$trace" >"$scratch/theirs"
  if ! diff -u --label declared --label answered \
      "$scratch/theirs" "$scratch/ours" >"$scratch/diff"; then
    echo "$script: answers differ" >&2
    head -n 20 "$scratch/diff" >&2
    differing=$((differing + 1))
  fi
done
echo "$replayed scripts replayed, $differing differ"
[ "$replayed" -gt 0 ] && [ "$differing" -eq 0 ]
