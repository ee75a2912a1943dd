// Answers that go on as long as there is something to tell.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace neardup {

// The body of one answer. The port's thread makes the calls, which must not wait, and destroys the
// feed when the connection closes.
class HttpFeed {
 public:
  using More = std::function<void()>;

  virtual ~HttpFeed() = default;

  // The next bytes, some 64 KiB of them at most. "": there are none yet; any thread calls `more`
  // once there are. `more` replaces that of the last call, and is not called after the destruction.
  virtual std::string next(const More& more) = 0;

  // What is sent after `idle_time` without bytes: otherwise nobody would notice that a client has
  // gone.
  virtual std::string idle() const = 0;
  virtual std::chrono::milliseconds idle_time() const = 0;
};

}  // namespace neardup
