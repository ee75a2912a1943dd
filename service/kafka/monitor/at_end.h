// Sets a flag at the end of a scope, however that ends.
#pragma once

#include <atomic>

namespace neardup {

class AtEnd {
 public:
  explicit AtEnd(std::atomic<bool>& flag) : flag_(flag) {}
  ~AtEnd() { flag_ = true; }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  std::atomic<bool>& flag_;
};

}  // namespace neardup
