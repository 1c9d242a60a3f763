#!/usr/bin/env bash
# The README's C++ is the part of an example between `// [README` and
# `// README]`, word for word. Usage: readme.sh ROOT
set -euo pipefail
cd "$1"
shown=$(awk '/^```cpp/ { on = 1; next } /^```/ { on = 0 } on' README.md)
meant=$(awk '/^\/\/ \[README/ { on = 1; next } /^\/\/ README\]/ { on = 0 } on' \
  examples/counter.cpp)
[ -n "$meant" ] || { echo "examples/counter.cpp has no part for the README"; exit 1; }
if ! diff <(echo "$meant") <(echo "$shown"); then
  echo "README.md shows other code (>) than examples/counter.cpp has (<)"
  exit 1
fi
