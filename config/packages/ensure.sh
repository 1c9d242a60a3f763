#!/usr/bin/env bash
# Installs the Debian packages of the given lists, as far as they are missing.
# Usage: ensure.sh LIST...    (run, test, fuzz: files beside this script)
#
# All there: no output, no network, 0. Missing, but no root and no sudo: prints
# the command to run and stops with 2. Elsewhere than on Debian: says what CMake
# is going to look for and leaves it to that.
set -euo pipefail
cd "$(dirname "$0")"

wanted() { # list files: the names that concern this release
  local codename
  codename=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")
  awk -v here="[$codename]" '
    { sub(/#.*/, "") }
    NF == 1 || (NF == 2 && $2 == here) { print $1 }' "$@"
}

list=$(wanted "${@/%/.txt}")
mapfile -t names <<<"$list"
if ! command -v dpkg-query >/dev/null; then
  echo "This is not Debian. Needed: the counterparts of ${names[*]}" >&2
  exit 0
fi

# dpkg-query fails when it does not know a name; that name is then missing.
mapfile -t missing < <(
  dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' \
    "${names[@]}" 2>/dev/null |
    awk -v wanted="${names[*]}" '
      $2 == "installed" { there[$1] = 1 }
      END {
        n = split(wanted, name)
        for (i = 1; i <= n; ++i)
          if (!(name[i] in there))
            print name[i]
      }')
[ ${#missing[@]} -gt 0 ] || exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  sudo=(sudo)
  # A password can be asked for at a terminal only.
  if ! sudo -n true &>/dev/null && ! { command -v sudo >/dev/null && [ -t 0 ]; }
  then
    echo "Packages are missing, and installing them needs root. Run as root:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends" \
      "${missing[*]}" >&2
    exit 2
  fi
fi
echo "Installing ${missing[*]}"
# Another apt may be at work (a fresh machine updates itself): wait for it.
apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive
  apt-get -q -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null
