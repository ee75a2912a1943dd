// The source of a service without Kafka: records of requests, in the order in which they came.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/ports.h"
#include "service/ingest/body_queue.h"
#include "service/ingest/document_request.h"

namespace neardup {

class HttpSource : public Source {
 public:
  // Both must outlive this.
  HttpSource(BodyQueue& queue, OpenRequests& requests) : queue_(queue), requests_(requests) {}

  // A batch ends when no further record waits: while it is committed, those of the next one come
  // together.
  bool read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) override;
  std::vector<std::pair<std::string, std::string>> positions() override;
  void interrupt() override { queue_.close(); }

 private:
  bool next(RawRecord& record);
  bool take(DocumentRequest& request, RawRecord& record);
  static bool take_last(DocumentRequest& request, RawRecord& record);

  BodyQueue& queue_;
  OpenRequests& requests_;
  std::optional<BodyPiece> piece_;
  std::string_view left_;  // of piece_
  std::string_view text_;  // decoded from it, but not taken yet
  RawHeader namespace_;    // of the last record, if its body is a text
  bool in_batch_ = false;  // records were given that are in no ended batch
};

}  // namespace neardup
