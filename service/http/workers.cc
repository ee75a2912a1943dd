#include "service/http/workers.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace neardup {

HttpWorkers::HttpWorkers(std::size_t threads, std::size_t most)
    : most_(most), more_(boost::asio::make_work_guard(work_)) {
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work_.run(); });
  } catch (...) {
    join();
    throw;
  }
}

HttpWorkers::~HttpWorkers() { join(); }

void HttpWorkers::join() {
  more_.reset();
  for (std::thread& thread : std::exchange(threads_, {})) thread.join();
}

bool HttpWorkers::submit(std::function<void()> work) {
  if (taken_.fetch_add(1) >= most_) {
    taken_.fetch_sub(1);
    return false;
  }
  boost::asio::post(work_, [this, work = std::move(work)] {
    work();
    taken_.fetch_sub(1);
  });
  return true;
}

}  // namespace neardup
