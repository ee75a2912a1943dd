// Pieces of work for several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <vector>

namespace neardup {

// Calls work(thread, piece) once for each piece below `pieces`, on `threads` threads, of which the
// caller's is one; `thread` is below `threads`. A thread takes its pieces in ascending order.
// Throws what a call throws, after all threads have ended. Requires: threads > 0.
template <class Work>
void share_out(std::uint32_t pieces, std::uint32_t threads, const Work& work) {
  std::atomic<std::uint32_t> next = 0;
  const auto run = [&](std::uint32_t thread) {
    for (std::uint32_t piece; (piece = next++) < pieces;) work(thread, piece);
  };
  std::vector<std::future<void>> others;
  for (std::uint32_t i = 1; i < std::min(threads, pieces); ++i) {
    others.push_back(std::async(std::launch::async, run, i));
  }
  run(0);
  for (std::future<void>& other : others) other.get();
}

}  // namespace neardup
