#include "service/ingest/http_source.h"

#include "service/http/message/problem.h"
#include "service/ingest/body_record_decoder.h"
#include "service/records/chunk_builder.h"
#include "service/state/state_order.h"

namespace neardup {

namespace {

// The id and the namespace are separate from the text, as in a message (BodyRecordDecoder).
void name_text(const IdKey& key, RawHeader& name_space, RawRecord& record) {
  record.key = key.id;
  name_space = {kNamespaceOfText, key.name_space};
  record.headers = {&name_space, 1};
}

}  // namespace

bool HttpSource::read(std::size_t max_records, std::uint64_t max_bytes, RawChunk& chunk) {
  ChunkBuilder builder(chunk);
  std::uint64_t bytes = 0;
  bool ends = false;
  while (chunk.records.size() < max_records && bytes < max_bytes) {
    if (!piece_) {
      const bool undecided = in_batch_ || !chunk.records.empty();
      ends = undecided && queue_.empty();
      if (!ends) piece_ = queue_.pop();
      if (!piece_) break;
      left_ = piece_->bytes;
    }
    RawRecord record;
    if (!next(record)) continue;
    builder.add(record);
    bytes += record.bytes.size();
  }
  builder.seal();
  if (piece_ && piece_->kind == BodyPiece::Kind::kMore && left_.empty() && text_.empty())
    piece_.reset();
  // A piece that came after the queue was found empty belongs to the next batch.
  chunk.ends_batch = ends || (!chunk.records.empty() && !piece_ && queue_.empty());
  const bool goes_on = chunk.ends_batch || !chunk.records.empty();
  in_batch_ = goes_on && !chunk.ends_batch;
  return goes_on;
}

// False: the piece has none, and is done with.
bool HttpSource::next(RawRecord& record) {
  DocumentRequest& request = *piece_->request;
  bool found = take(request, record);
  if (!found && piece_->kind == BodyPiece::Kind::kLast) {
    piece_->kind = BodyPiece::Kind::kAbandoned;  // nothing follows
    found = take_last(request, record);
  }
  if (found) {
    record.source.input = request.number();
    if (request.form().body == BodyForm::kText) name_text(request.form().key, namespace_, record);
    request.record_taken();
    return true;
  }
  if (piece_->kind == BodyPiece::Kind::kAbandoned && request.all_taken()) {
    requests_.remove(request.number());
  }
  piece_.reset();
  return false;
}

bool HttpSource::take(DocumentRequest& request, RawRecord& record) {
  do {
    if (request.lines().next(text_, record)) return true;
  } while (request.body().next(left_, text_));
  if (!request.body().damage().empty()) {
    request.spoil(problem(400, "damaged_body",
                          "the compressed body is damaged: " + request.body().damage() +
                              "; the records before that are decided"));
  }
  return false;
}

// The record that no line end follows. That of a damaged body is none.
bool HttpSource::take_last(DocumentRequest& request, RawRecord& record) {
  if (request.body().complete()) return request.lines().last(record);
  request.spoil(problem(400, "damaged_body",
                        "the body ends within compressed data; the records before that are "
                        "decided"));
  return false;
}

std::vector<std::pair<std::string, std::string>> HttpSource::positions() {
  return {{std::string(kMetaOrder), std::string(kOrderOfRequests)}};
}

}  // namespace neardup
