// Bodies of documents in, flags out: POST /v1/documents, which stores them, and /v1/check.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "service/http/route.h"
#include "service/ingest/body_queue.h"
#include "service/ingest/document_request.h"

namespace neardup {

inline constexpr std::string_view kDocumentsPath = "/v1/documents";
inline constexpr std::string_view kCheckPath = "/v1/check";

class DocumentUpload;

class DocumentsPort {
 public:
  struct Limits {
    // Open at once. For one more, that which has waited longest for the rest of its body is refused
    // with 429; the new one if none waits.
    std::size_t requests = ~std::size_t{0};
    // Bytes of flags of one request, for which there would be 413.
    std::uint64_t answer = Spool::kAnySize;
  };

  // What the lines of an answer are: flags, or positions in a topic of Kafka.
  enum class Answers : std::uint8_t { kFlags, kPositions };

  // `rule`: the fingerprint; requests for another one are refused with 412. `budget`: for flags
  // that clients have not taken yet; it must outlive this.
  DocumentsPort(std::uint64_t max_record_bytes, std::string rule, SpoolBudget& budget,
                Limits limits, Answers answers = Answers::kFlags);

  // What opens the uploads of a route. Requires: its server is destroyed before this.
  std::function<HttpRoute::Opened(const RequestHead& head, const HttpRequest& request)> opener();

  // Documents are taken between the two calls.
  void open() { queue_.open(); }
  void close() { queue_.close(); }

  // Answers the open requests: their documents may or may not be stored.
  void fail();

  BodyQueue& queue() { return queue_; }
  OpenRequests& requests() { return requests_; }

 private:
  HttpRoute::Opened begin(const RequestHead& head, const HttpRequest& request);
  std::optional<HttpAnswer> refusal(const RequestHead& head, std::string_view type) const;
  bool make_room();

  const std::uint64_t max_record_bytes_;
  const std::string rule_;
  SpoolBudget& budget_;
  const Limits limits_;
  const Answers answers_;
  BodyQueue queue_;
  OpenRequests requests_;
  std::list<DocumentUpload*> waiting_;  // for their clients, longest first; the port's thread
};

// Both ports of a service, which must outlive it.
struct DocumentsPorts {
  DocumentsPort& documents;
  DocumentsPort& checks;
};

// The two requests, of ports that store and that check.
HttpRoute documents_route(DocumentsPort& port);
HttpRoute check_route(DocumentsPort& port);

}  // namespace neardup
