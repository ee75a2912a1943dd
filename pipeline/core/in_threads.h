// Sharing work out over threads that live for one call.
#pragma once

#include <cstddef>
#include <future>
#include <vector>

namespace neardup {

// Calls work(i) for all i < threads, each in a thread of its own and work(0) in this one, and
// returns when all are done. Rethrows the exception of one of them. Requires: threads > 0.
template <class Work>
void in_threads(std::size_t threads, const Work& work) {
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.push_back(std::async(std::launch::async, [&work, i] { work(i); }));
  }
  work(std::size_t{0});
  for (std::future<void>& other : others) other.get();
}

}  // namespace neardup
