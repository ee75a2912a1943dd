// POST /v1/documents: bodies of documents in, flags out.
#pragma once

#include <cstdint>
#include <string>

#include "service/http/route.h"
#include "service/ingest/body_queue.h"
#include "service/ingest/open_requests.h"

namespace neardup {

inline constexpr std::string_view kDocumentsPath = "/v1/documents";

class DocumentsPort {
 public:
  // `directory`: for flags that clients have not taken yet.
  DocumentsPort(std::uint64_t max_record_bytes, std::string directory);

  // The route of the request. Requires: its server is destroyed before this.
  HttpRoute route();

  // Documents are taken between the two calls.
  void open() { queue_.open(); }
  void close() { queue_.close(); }

  // Answers the open requests: their documents may or may not be stored.
  void fail();

  BodyQueue& queue() { return queue_; }
  OpenRequests& requests() { return requests_; }

 private:
  HttpRoute::Opened begin(const RequestHead& head);

  const std::uint64_t max_record_bytes_;
  const std::string directory_;
  BodyQueue queue_;
  OpenRequests requests_;
};

}  // namespace neardup
