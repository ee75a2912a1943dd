// Clients that wait for the flags of messages that they have written: what is delivered is offered
// here, and costs nothing while nobody waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/base/mutex.h"
#include "service/ingest/document_request.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/store/stored_batch.h"

namespace neardup {

// A message, by its partition and offset.
using MessagePlace = std::pair<TopicPartition, std::int64_t>;

struct AwaitedFlag {
  MessagePlace place;
  std::shared_ptr<DocumentRequest> request;
  std::size_t number = 0;  // DocumentRequest::await_flag
};

// Every call may come from any thread.
class FlagWaits {
 public:
  // `requests`, from which answered ones are removed, must outlive this.
  explicit FlagWaits(OpenRequests& requests) : requests_(requests) {}

  // Messages whose flags are awaited are written between the two calls, by one thread. Their flags
  // can be offered before the broker reports their offsets. Beyond 100 000 flags in all, the
  // requests no longer wait.
  void begin();
  void end(std::vector<AwaitedFlag> flags);

  // The flags of a batch are delivered.
  void offer(const StoredBatch& batch);

  // Requests that have waited as long as they want have their answer, without flags.
  void expire(std::chrono::steady_clock::time_point now);
  // As if all had.
  void give_up();

 private:
  struct Waiting {
    std::shared_ptr<DocumentRequest> request;
    std::size_t number = 0;
    std::chrono::steady_clock::time_point until;
  };
  struct Told {
    MessagePlace place;
    std::string line;
    Status status = Status::kUnique;
  };

  void tell(const MessagePlace& place, const std::string& line, Status status) REQUIRES(mutex_);
  void give_up(DocumentRequest& request);

  OpenRequests& requests_;
  Mutex mutex_;
  std::map<MessagePlace, Waiting> waiting_ GUARDED_BY(mutex_);
  std::deque<Told> latest_ GUARDED_BY(mutex_);  // offered since `begin`
  bool writing_ GUARDED_BY(mutex_) = false;
};

}  // namespace neardup
