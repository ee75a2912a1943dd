// Sharing work out over threads that live for one call.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <vector>

namespace neardup {

// Calls work(i) for all i < threads, each in a separate thread and work(0) in this one, and returns
// when all are done. Rethrows the exception of one of them. Requires: threads > 0.
template <class Work>
void in_threads(std::size_t threads, const Work& work) {
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.push_back(std::async(std::launch::async, [&work, i] { work(i); }));
  }
  work(std::size_t{0});
  for (std::future<void>& other : others) other.get();
}

// Calls work(thread, piece) once for each piece < pieces, on at most `threads` threads, of which
// the caller's is one; thread < threads. A thread takes its pieces in ascending order. Rethrows as
// above. Requires: threads > 0.
template <class Work>
void share_out(std::size_t pieces, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  in_threads(std::clamp<std::size_t>(pieces, 1, threads), [&](std::size_t thread) {
    for (std::size_t piece = next++; piece < pieces; piece = next++) work(thread, piece);
  });
}

}  // namespace neardup
