#!/usr/bin/env bash
# Plants one fault after the other in copies of core/, and expects a suite to
# fail each time: random sequences against the model, else the conformance
# scripts. Fails if a mutant survives, does not apply or does not compile, or if
# a suite fails without any. README.md says what a mutant looks like.
# Usage: run.sh SOURCES SCRATCH [MUTANT...]   CXX and CXXFLAGS are obeyed.
set -uo pipefail
sources=$(realpath "$1")
scratch=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
workers=${MUTANT_WORKERS:-$(nproc)}
sequences=${MUTANT_SEQUENCES:-1000}
mutants=("$here"/planted/*.mutant)
[ $# -eq 0 ] || mapfile -t mutants < <(realpath "$@")
mkdir -p "$scratch"
scratch=$(realpath "$scratch")

build() { # target; in the tree
  make --no-print-directory -f suite.mk -j "${jobs:-1}" "$1" >build.log 2>&1
}

model_fails() {
  ! (timeout 120 ./explorer 1 "$sequences" 60 brief || exit 1) >model.log 2>&1
}

scripts_fail() {
  local folder
  for folder in recorded decided; do
    timeout 60 bash tests/conformance/replay.sh ./driver \
      "tests/conformance/$folder" >scripts.log 2>&1 || return 0
  done
  return 1
}

# Sets path, from and to from a mutant file.
read_mutant() {
  local line
  path='' from='' to=''
  while IFS= read -r line; do
    case $line in
      '#'*) ;;
      -*) from+=${line#-}$'\n' ;;
      +*) to+=${line#+}$'\n' ;;
      *) path=$line ;;
    esac
  done <"$1"
  from=${from%$'\n'} to=${to%$'\n'}
}

# Puts the fault into ./$path; fails unless its place is there exactly once.
plant() {
  local text rest
  text=$(<"$sources/$path") || return
  rest=${text//"$from"/}
  [ $((${#text} - ${#rest})) -eq ${#from} ] || return
  printf '%s\n' "${text/"$from"/"$to"}" >"$path"
}

try() { # mutant file; prints one line
  local name=${1##*/}
  name=${name%.mutant}
  cd "$scratch" && rm -rf "$tree" && cp -a tree "$tree" && cd "$tree" || exit
  read_mutant "$1"
  if ! plant; then
    echo "ERROR $name does not apply: its text is not once in $path"
  elif ! build explorer; then
    echo "ERROR $name does not compile"
  elif model_fails; then
    echo "killed $name (model, $(grep -om1 '^seed [0-9]*' model.log))"
  elif build driver && scripts_fail; then
    echo "killed $name (conformance)"
  else
    echo "ERROR $name survives"
  fi
}

# The suites without a fault are built once; every mutant begins with a copy.
rm -rf "$scratch/tree" "$scratch"/worker-* "$scratch"/answers-*
mkdir -p "$scratch/tree/tests"
cp -R "$sources/core" "$scratch/tree/core"
cp -R "$sources/tests/model" "$sources/tests/conformance" "$scratch/tree/tests"
cp "$here/suite.mk" "$scratch/tree"
cd "$scratch/tree" || exit
if ! jobs=$workers build explorer || ! jobs=$workers build driver; then
  tail -n 20 build.log >&2
  echo "ERROR the suites do not compile" >&2
  exit 1
fi
if model_fails || scripts_fail; then
  tail -n 40 model.log scripts.log >&2
  echo "ERROR a suite fails without a fault" >&2
  exit 1
fi

for ((worker = 0; worker < workers; ++worker)); do
  (
    tree=worker-$worker
    for ((i = worker; i < ${#mutants[@]}; i += workers)); do
      try "${mutants[i]}"
    done | tee "$scratch/answers-$worker"
  ) &
done
wait

rm -rf "$scratch"/worker-*
killed=$(cat "$scratch"/answers-* | grep -c '^killed')
echo "$killed of ${#mutants[@]} mutants killed"
[ "$killed" -gt 0 ] && [ "$killed" -eq "${#mutants[@]}" ]
