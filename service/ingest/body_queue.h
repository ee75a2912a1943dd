// Pieces of the bodies of requests, in the order in which they came, between the port and the
// thread that reads them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/base/mutex.h"
#include "service/ingest/document_request.h"

namespace neardup {

struct BodyPiece {
  std::shared_ptr<DocumentRequest> request;
  std::string bytes;
  enum class Kind : std::uint8_t {
    kMore,       // of the body follows
    kLast,       // its last bytes
    kAbandoned,  // nothing follows, and what there is of an unfinished record is none
  } kind = Kind::kMore;
};

class BodyQueue {
 public:
  // Producers wait while it holds `most` bytes.
  explicit BodyQueue(std::size_t most) : most_(most) {}

  enum class Pushed : std::uint8_t { kRoom, kFull, kClosed };
  // After kFull, which has taken the piece, too, `resume` is called once when there is room.
  // kClosed takes nothing.
  Pushed push(BodyPiece piece, const std::function<void()>& resume);

  // Waits for a piece. Nothing: the queue is closed, and all pieces were taken.
  std::optional<BodyPiece> pop();
  bool empty() const;

  // Begins closed.
  void open();
  void close();

 private:
  const std::size_t most_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<BodyPiece> pieces_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
  std::vector<std::function<void()>> waiting_ GUARDED_BY(mutex_);  // to be resumed
  bool open_ GUARDED_BY(mutex_) = false;
};

}  // namespace neardup
