// The requests whose records are being decided, by the number that their records carry.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "pipeline/base/mutex.h"
#include "service/ingest/document_request.h"

namespace neardup {

// Every call may come from any thread.
class OpenRequests {
 public:
  // A request with a number that no open one has.
  std::shared_ptr<DocumentRequest> open(const RequestForm& form, std::uint64_t max_record_bytes,
                                        SpoolBudget& budget);
  // Null: there is none.
  std::shared_ptr<DocumentRequest> find(std::uint32_t number) const;
  void remove(std::uint32_t number);
  std::size_t size() const;

  // Answers all of them with `answer`.
  void fail(const HttpAnswer& answer);

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::uint32_t, std::shared_ptr<DocumentRequest>> requests_ GUARDED_BY(mutex_);
  std::uint32_t next_ GUARDED_BY(mutex_) = 0;
};

}  // namespace neardup
