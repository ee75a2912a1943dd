// Bodies of any size.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "service/http/message/message.h"

namespace neardup {

// Takes the body of one request as it comes, and answers. The port's thread makes the calls, which
// must not wait.
class HttpUpload {
 public:
  enum class Taken : std::uint8_t {
    kMore,     // the next bytes may come
    kWait,     // not before `resume` is called
    kRefused,  // none; `refusal` is the answer
  };
  using Resume = std::function<void()>;
  using Done = std::function<void(HttpAnswer)>;

  virtual ~HttpUpload() = default;

  // The next bytes of the body. After kWait any thread calls `resume`, once.
  virtual Taken take(std::string bytes, const Resume& resume) = 0;
  virtual HttpAnswer refusal() const = 0;
  // The body is complete. Any thread calls `done`, once.
  virtual void end(Done done) = 0;
  // The body will never be complete, and nobody waits for an answer.
  virtual void abandon() = 0;
};

}  // namespace neardup
