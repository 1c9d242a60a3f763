#!/usr/bin/env bash
# Plants violations in a small tree of its own, one at a time, and expects
# layers.sh to find each, and nothing in the clean tree.
set -euo pipefail
layers=$(cd "$(dirname "$0")" && pwd)/layers.sh
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
failures=0

put() { # path, text
  mkdir -p "$house/$(dirname "$1")"
  printf '%s\n' "$2" >"$house/$1"
}

says() { "$layers" "$house" 2>&1; }

# The clean tree: every direction that is allowed, and comments that lie.
put core/work/ring.hpp '#include "core/base/ids.hpp"
#include <vector>
#include <tl/expected.hpp>
// not #include <thread>, not steady_clock::now()
auto later(instant now) { return now; }
double share_of_time(int); auto x = share_of_time(0); // ends like time(0)'
put messages/ids.cpp '#include "core/base/ids.hpp"
#include "messages/ids.pb.h"
#include <google/protobuf/util/json_util.h>'
put messages/schema/output.cpp '#include "core/base/result.hpp"
#include "messages/schema/draft7/node.hpp"'
put messages/schema/draft7/node.hpp '#include <nlohmann/json.hpp>
#include <re2/re2.h>'
put actors/caf/caf.hpp '#include "core/base/error.hpp"
#include <caf/all.hpp>
#if CAF_MAJOR_VERSION < 1
#endif'
put actors/caf/network.cpp '#include <caf/io/all.hpp>
#include <caf/io/middleman.hpp>'
put actors/backend.cpp '#include "messages/ids.hpp"
#include "actors/caf/caf.hpp"
#include <uv.h>
auto t = std::chrono::steady_clock::now();'
put actors/testing/still.hpp '#include "actors/backend.hpp"'
put actors/node/main.cpp '#include "config/plan.hpp"
#include "actors/testing/still.hpp"'
put config/plan.cpp '#include "actors/caf/caf.hpp"
#include "messages/schema/output.hpp"
#include <nlohmann/json.hpp>'
put examples/hello.cpp '#include "actors/testing/still.hpp"'
put tests/core/ring_test.cpp '#include "core/work/ring.hpp"
#include "tests/catch.hpp"
#include <mutex>'
if ! complaint=$(says); then
  printf 'a clean tree is refused:\n%s\n' "$complaint" >&2
  failures=1
fi

plant() { # path, line that breaks a rule
  put "$1" "$2"
  if complaint=$(says) || [[ $complaint != *"$1:1: "* ]]; then
    printf 'not found in %s: %s\n%s\n' "$1" "$2" "$complaint" >&2
    failures=1
  fi
  rm "$house/$1"
}

plant core/x.hpp '#include "messages/ids.hpp"'
plant core/x.hpp '#include "actors/backend.hpp"'
plant core/x.hpp '#include "config/plan.hpp"'
plant core/x.hpp '#include "tests/catch.hpp"'
plant core/x.hpp '#include "ids.hpp"'
plant core/x.hpp '#  include <caf/all.hpp>'
plant core/x.hpp '#include <google/protobuf/message.h>'
plant core/x.cpp '#include <spdlog/spdlog.h>'
plant core/x.cpp '#include <nlohmann/json.hpp>'
plant core/x.cpp '#include <uv.h>'
plant core/x.cpp '#include <sqlite3.h>'
plant core/x.cpp '#include <pthread.h>'
plant core/x.cpp '#include <thread>'
plant core/x.cpp '#include <shared_mutex>'
plant core/x.cpp '#include <fstream>'
plant core/x.cpp 'std::mutex m;'
plant core/x.cpp 'std::scoped_lock l{m};'
plant core/x.cpp 'auto f = std::async(g);'
plant core/x.cpp 'std::ofstream out;'
plant core/x.cpp 'auto p = std::filesystem::path{};'
plant core/x.cpp 'auto f = std::fopen("a", "r");'
plant core/x.cpp 'auto h = std::getenv("HOME");'
plant core/x.cpp 'using c = std::chrono::steady_clock;'
plant core/x.cpp 'auto t = some_clock::now();'
plant core/x.cpp 'auto t = std::time(nullptr);'
plant core/x.cpp 'std::random_device chance;'
plant core/x.cpp 'int n = std::rand();'
plant messages/x.cpp '#include "actors/backend.hpp"'
plant messages/x.cpp '#include "actors/caf/caf.hpp"'
plant messages/x.cpp '#include <caf/all.hpp>'
plant messages/x.cpp '#include <nlohmann/json.hpp>'
plant messages/x.cpp '#include <sqlite3.h>'
plant messages/x.cpp 'auto t = std::chrono::system_clock::now();'
plant messages/x.cpp '#include "messages/schema/output.hpp"'
plant messages/schema/x.hpp '#include <nlohmann/json.hpp>'
plant messages/schema/draft7/x.hpp '#include "messages/ids.hpp"'
plant messages/schema/draft7/x.cpp '#include <mutex>'
plant actors/caf/x.hpp '#include "messages/ids.hpp"'
plant actors/caf/x.hpp '#include "actors/backend.hpp"'
plant actors/x.hpp '#include "config/plan.hpp"'
plant actors/x.hpp '#include "tests/catch.hpp"'
plant actors/x.hpp '#include "actors/node/run.hpp"'
plant actors/x.hpp '#include "actors/testing/still.hpp"'
plant actors/process/x.hpp '#include "config/plan.hpp"'
plant actors/testing/x.hpp '#include "config/plan.hpp"'
plant actors/testing/x.hpp '#include "actors/node/run.hpp"'
plant actors/node/x.cpp '#include "tests/catch.hpp"'
plant config/x.cpp '#include "messages/ids.hpp"'
plant config/x.cpp '#include "actors/backend.hpp"'
plant examples/x.cpp '#include "tests/catch.hpp"'
plant actors/x.cpp '#if CAF_MAJOR_VERSION < 1'
plant actors/testing/x.cpp '#if TURNSTILE_OLD_CAF'
plant config/x.cpp '#if CAF_VERSION > 100'
plant tests/x.cpp 'auto v = CAF_VERSION;'
plant actors/x.cpp '#include <caf/meta/load_callback.hpp>'
plant tests/x.cpp 'using i = caf::typed_actor<caf::replies_to<int>::with<int>>;'
plant actors/x.cpp '#include <caf/io/all.hpp>' # the second one
plant examples/x.cpp '#include <caf/openssl/all.hpp>'
rm "$house/actors/caf/network.cpp"
plant actors/caf/network.hpp '#include <caf/io/all.hpp>' # not in a header

exit $failures
