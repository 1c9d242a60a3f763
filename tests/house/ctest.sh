#!/usr/bin/env bash
# Runs all tests of a build tree, and closes with "N passed, N failed", which is
# also kept as BUILD_TREE/test-count. Usage: ctest.sh BUILD_TREE [ctest flags]
# Fails as ctest fails, and if there is no test.
set -uo pipefail
build=$1
shift
rm -f "$build/test-count"
ctest --test-dir "$build" --output-on-failure --no-tests=error "$@" |
  tee "$build/test-log"
outcome=$?

# "98% tests passed, 1 tests failed out of 50", then what did not run.
awk '
  / tests passed, [0-9]+ tests failed out of [0-9]+$/ { failed = $4; all = $NF }
  /^[[:space:]]*[0-9]+ - .* \((Skipped|Disabled)\)$/ { ++skipped }
  END { printf "%d passed, %d failed\n", all - failed - skipped, failed }
' "$build/test-log" | tee "$build/test-count"
exit $outcome
