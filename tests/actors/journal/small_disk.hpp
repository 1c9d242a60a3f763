#pragma once

#include <filesystem>
#include <future>
#include <sched.h>
#include <sys/mount.h>

namespace journal_tests {

/// Calls `test` where `folder` is a disk of its own, of a megabyte, and says
/// whether there could be one. Only the thread of the test sees it, so it is
/// gone with the thread, whatever happens.
template <class Test>
bool on_a_small_disk(const std::filesystem::path& folder, Test test) {
  return std::async(
           std::launch::async,
           [&] {
             const auto is_there =
               ::unshare(CLONE_NEWNS) == 0
               && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr)
                    == 0
               && ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=1m") == 0;
             if (is_there)
               test();
             return is_there;
           })
    .get();
}

} // namespace journal_tests
