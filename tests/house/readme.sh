#!/usr/bin/env bash
# The README's C++ are the parts of these examples between `// [README` and
# `// README]`, word for word and in this order. Usage: readme.sh ROOT
set -euo pipefail
cd "$1"
shown=$(awk '/^```cpp/ { on = 1; next } /^```/ { on = 0 } on' README.md)
meant=
for example in examples/counter.cpp examples/agents.cpp; do
  part=$(awk '/^\/\/ \[README/ { on = 1; next } /^\/\/ README\]/ { on = 0 } on' "$example")
  [ -n "$part" ] || { echo "$example has no part for the README"; exit 1; }
  meant+=${meant:+$'\n'}$part
done
if ! diff <(echo "$meant") <(echo "$shown"); then
  echo "README.md shows other code (>) than the examples have (<)"
  exit 1
fi
