#include "pipeline/judge.h"

namespace neardup {
namespace {

IdKey key_of(const Record& record) { return {record.name_space, record.id}; }

}  // namespace

Flag Judge::decide(const SketchedBatch& chunk, std::size_t i) {
  const Record& record = chunk.records[i];
  Flag flag;
  static_cast<PassedOn&>(flag) = record;
  flag.seq = place_.next_seq++;
  flag.has_id = record.kind != RecordKind::kRejected || record.has_id;
  flag.id = record.id;
  flag.name_space = record.name_space;
  flag.source = record.source;
  place_.time.take(record);
  retention_.advance(flag.seq, place_.time);
  switch (record.kind) {
    case RecordKind::kRejected:
      flag.status = Status::kRejected;
      flag.reason = record.reason;
      flag.detail = record.detail;
      break;
    case RecordKind::kDelete:
      decide_delete(chunk, i, flag);
      break;
    case RecordKind::kDocument:
      decide_document(chunk, i, flag);
      break;
  }
  return flag;
}

void Judge::decide_delete(const SketchedBatch& chunk, std::size_t i, Flag& flag) {
  const std::optional<IdRow> version = known_.version(i);
  flag.status = Status::kDeleted;
  flag.known = version.has_value();
  if (version) ended_.deleted(key_of(chunk.records[i]), *version);
}

void Judge::decide_document(const SketchedBatch& chunk, std::size_t i, Flag& flag) {
  if (const std::optional<IdRow> version = known_.version(i)) {
    if (version->content == chunk.content[i]) {
      flag.status = Status::kUnchanged;
      return;
    }
    flag.previous = Previous{version->seq, known_.similarity(i, *version)};
    ended_.replaced(key_of(chunk.records[i]), *version);
  }
  flag.status = choose_status(chunk, i, flag);
}

Status Judge::choose_status(const SketchedBatch& chunk, std::size_t i, Flag& flag) {
  if (chunk.tokens[i] == 0) return Status::kEmpty;
  flag.original = known_.same_content(i);
  if (flag.original) return Status::kExactDuplicate;
  if (chunk.has_sketch[i] == 0) return Status::kTooShort;
  flag.original = known_.best_original(i);
  return flag.original ? Status::kNearDuplicate : Status::kUnique;
}

std::optional<IdRow> Judge::version_of(const SketchedBatch& chunk, std::size_t i,
                                       const Flag& flag) const {
  if (chunk.records[i].kind != RecordKind::kDocument || flag.status == Status::kUnchanged)
    return {};
  IdRow row;
  row.seq = flag.seq;
  row.time_ms = place_.time.now_ms();
  row.content = chunk.content[i];
  row.kept = !flag.original;
  row.has_document =
      flag.status != Status::kEmpty && (decision_.against == Against::kAll || !flag.original);
  if (flag.original) {
    row.original = flag.original->seq;
    row.similarity = flag.original->similarity;
  }
  return row;
}

}  // namespace neardup
