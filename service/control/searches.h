// Lets requests search while the service decides, and waits for them at its end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "pipeline/core/mutex.h"

namespace neardup {

class Searches {
 public:
  using Answer = std::function<std::string(const std::string& body)>;

  // Any thread. Throws Failure(kUnavailable) while nothing is open, and as the answer.
  std::string answer(const std::string& body) EXCLUDES(mutex_);

  // From now on `answer` is called, by several threads at once.
  void open(Answer answer) EXCLUDES(mutex_);
  // Waits for the calls that are under way.
  void close() EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  Answer answer_ GUARDED_BY(mutex_);  // empty: closed
  std::uint32_t running_ GUARDED_BY(mutex_) = 0;
};

// Requests may search during its lifetime.
class OpenSearches {
 public:
  OpenSearches(Searches& searches, Searches::Answer answer) : searches_(searches) {
    searches_.open(std::move(answer));
  }
  ~OpenSearches() { searches_.close(); }
  OpenSearches(const OpenSearches&) = delete;
  OpenSearches& operator=(const OpenSearches&) = delete;

 private:
  Searches& searches_;
};

}  // namespace neardup
