#!/usr/bin/env bash
# Usage: run.sh BUILD_TREE [flags for cmake ...]
# Everything is made anew below BUILD_TREE/install-test: a file left over from
# an earlier installation would hide that it is installed no more.
set -euo pipefail
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
room=$build/install-test
rm -rf "$room"

cmake --install "$build" --prefix "$room/prefix" >/dev/null
# Shells, man and editors look for these by name.
for file in bash-completion/completions/turnstile \
  zsh/site-functions/_turnstile fish/vendor_completions.d/turnstile.fish \
  man/man1/turnstile.1 turnstile/plan.schema.json; do
  [ -s "$room/prefix/share/$file" ] || { echo "share/$file is missing"; exit 1; }
done
cmake -S "$here/consumer" -B "$room/build" "$@" \
  "-Dturnstile_ROOT=$room/prefix"
cmake --build "$room/build"
"$room/build/key_value"
"$room/build/output_schema"
