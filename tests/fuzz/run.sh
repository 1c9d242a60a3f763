#!/usr/bin/env bash
# Runs each fuzzer of a build tree for some time. Usage: run.sh BUILD_TREE SECONDS
#
# What is learned stays in BUILD_TREE/corpus/NAME for the next time; what makes
# a fuzzer stop is left in BUILD_TREE/finds/. Fails if something was found.
set -uo pipefail
build=$1
seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
outcome=0
mkdir -p "$build/finds"

for corpus in "$here"/corpus/*; do
  name=${corpus##*/}
  log=$build/fuzz-$name.log
  mkdir -p "$build/corpus/$name"
  rm -f "$build/finds/$name-"*
  if UBSAN_OPTIONS=print_stacktrace=1 "$build/bin/turnstile_fuzz_$name" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2560 \
    -print_final_stats=1 -dict="$here/json.dict" \
    -artifact_prefix="$build/finds/$name-" \
    "$build/corpus/$name" "$corpus" </dev/null >"$log" 2>&1; then
    awk -v name="$name" '
      /number_of_executed_units/ { all = $2 }
      /new_units_added/ { new = $2 }
      END { print "fuzz: " name ": " all " inputs, " new " new, nothing found" }
    ' "$log"
    continue
  fi
  outcome=1
  grep -E '^(does not hold|SUMMARY)|runtime error|ERROR' "$log" || tail "$log"
  for find in "$build/finds/$name-"*; do
    cat <<END
fuzz: $name: FOUND SOMETHING: $find   (log: $log)
  again:  $build/bin/turnstile_fuzz_$name $find
  lines:  build-asan/bin/turnstile_fuzz_$name $find   (after make asan)
  then:   mend it, and keep the input: cp $find tests/fuzz/corpus/$name/
END
  done
done
exit $outcome
