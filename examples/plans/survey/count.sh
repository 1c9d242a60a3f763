#!/bin/sh
# Reads the path of a source file, prints {"lines":N,"path":PATH,"todos":N}.
# The keys are in the order of the alphabet, so that rank.sh finds them in the
# same order after any JSON library has had them.
set -eu

path=$(cat)
SHOWN=${path#../../} awk '
  /TODO/ { todos++ }
  END {
    shown = ENVIRON["SHOWN"]
    gsub(/["\\]/, "\\\\&", shown)
    printf "{\"lines\":%d,\"path\":\"%s\",\"todos\":%d}\n", NR, shown, todos
  }
' <"$path"
