// The threads of a port that answer what takes a while.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace neardup {

// Not Asio's pool: where one of its threads cannot be started, the pool of Boost 1.74 waits for
// ever for the others.
class HttpWorkers {
 public:
  // At most `most` requests wait or are being answered. Throws std::system_error where a thread
  // cannot be made.
  HttpWorkers(std::size_t threads, std::size_t most);
  ~HttpWorkers();
  HttpWorkers(const HttpWorkers&) = delete;
  HttpWorkers& operator=(const HttpWorkers&) = delete;

  // False: there are too many requests already. Requires: `work` does not throw.
  bool submit(std::function<void()> work);
  // Waits for all submitted work. Nothing may be submitted afterwards.
  void join();

 private:
  const std::size_t most_;
  std::atomic<std::size_t> taken_{0};
  boost::asio::io_context work_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> more_;
  std::vector<std::thread> threads_;
};

}  // namespace neardup
