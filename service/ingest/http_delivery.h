// The delivery of a service without Kafka: hands the flags of a committed batch to their requests
// and to those who watch, and all of them to a file before.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/ports.h"
#include "service/ingest/document_request.h"
#include "service/records/flag_writer.h"
#include "service/records/recent_flags.h"

namespace neardup {

// {"line":…}, of the body.
SourceFormat body_sources();

class HttpDelivery : public Delivery {
 public:
  // All that is given by reference or pointer must outlive this. `recent` and `file` get each
  // batch, too; null: there is none.
  HttpDelivery(FlagWriter writer, OpenRequests& requests, RecentFlags* recent = nullptr,
               Delivery* file = nullptr)
      : writer_(std::move(writer)), requests_(requests), recent_(recent), file_(file) {}

  void add(const RawChunk& chunk, std::vector<Flag>& flags) override;
  void before_commit(WriteSet& writes) override;
  // What was added is a batch, which `after_commit` hands over. Part of `before_commit`; to be
  // called alone where nothing is committed.
  void end_batch();
  void after_commit() override;

 private:
  // The flags of a request in this batch.
  struct Part {
    std::uint32_t request = 0;
    StatusSet only;
    std::string lines;
    StatusCounts counts = {};
  };
  Part& part_of(std::uint32_t request);

  FlagWriter writer_;
  OpenRequests& requests_;
  RecentFlags* recent_;
  Delivery* file_;
  std::vector<Part> parts_;      // of the batch that is being decided
  std::vector<Part> committed_;  // of the one that is being committed
  FlagBlockWriter blocks_;
  FlagBlocks committed_blocks_;
  std::string line_;  // of one flag
};

}  // namespace neardup
