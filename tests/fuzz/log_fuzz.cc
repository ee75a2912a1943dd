// Messages of the topics of a cluster, and states of its readers, that nobody vouches for: the
// first byte picks what it is. Messages get their check here, so that what is behind it is reached.
// What is decoded keeps the promises of records, and must come back from its own encoding.
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "pipeline/base/utf8.h"
#include "service/cluster/answer_codec.h"
#include "service/cluster/chunk_encoder.h"
#include "service/cluster/decided.h"
#include "service/cluster/log_order.h"

namespace neardup {
namespace {

constexpr const char* kCluster = "c";

void require(bool holds) {
  if (!holds) std::abort();
}

Rule fuzz_rule(VerifyMode verify) {
  Rule rule;
  rule.plan.sketch.size = 16;
  rule.plan.bands = 4;
  rule.plan.rows = 4;
  rule.text.max_bytes = std::uint64_t{1} << 18;
  rule.decision.verify = verify;
  return rule;
}

void check_record(const LogChunk& chunk, std::size_t i) {
  const Record& record = chunk.batch.records[i];
  const bool rejected = record.kind == RecordKind::kRejected;
  require(rejected == (record.reason != RejectReason::kNone));
  require(rejected || record.has_id);
  require(record.has_id == !record.id.empty() && record.id.size() <= kMaxIdBytes);
  require(valid_utf8(record.id) && valid_utf8(record.name_space) && valid_utf8(record.url));
  require(record.source.place >= static_cast<std::uint64_t>(chunk.range.start));
  require(record.source.place < static_cast<std::uint64_t>(chunk.range.end));
  require(i == 0 || chunk.batch.records[i - 1].source.place < record.source.place);
  require(chunk.batch.has_sketch[i] == 0 || record.kind == RecordKind::kDocument);
}

void check_chunk(const LogChunk& chunk) {
  const std::size_t records = chunk.batch.size();
  require(chunk.range.start >= 0 && chunk.range.start < chunk.range.end);
  require(records <= kMostChunkRecords && chunk.batch.texts.size() == records);
  require(chunk.traces.empty() || chunk.traces.size() == records);
  for (std::size_t i = 0; i < records; ++i) check_record(chunk, i);
}

// A decoder of one rule, and the encoder of what it decodes.
struct Codec {
  explicit Codec(VerifyMode verify)
      : decoder(fuzz_rule(verify), kCluster),
        encoder(fuzz_rule(verify), kCluster,
                {.bytes = std::uint64_t{1} << 30, .message_bytes = std::uint64_t{1} << 30}) {}

  std::string encode(const LogChunk& chunk) {
    const auto chunks = encoder.encode(chunk.range, chunk.batch, chunk.traces);
    require(chunks.size() == 1);
    return chunks.front().message;
  }

  LogDecoder decoder;
  ChunkEncoder encoder;
  LogMessage message;
};

// Not always the same bytes: a frame of zstd can say the same in many ways.
void try_message(Codec& codec, std::string_view bytes) {
  std::string message(bytes);
  seal_log_message(message);
  const LogOutcome outcome = codec.decoder.decode(message, codec.message);
  if (outcome == LogOutcome::kPlacement) {
    require(encode_placement(kCluster, codec.message.placement) == message);
  }
  if (outcome != LogOutcome::kChunk) return;
  check_chunk(codec.message.chunk);
  const std::string first = codec.encode(codec.message.chunk);
  require(codec.decoder.decode(first, codec.message) == LogOutcome::kChunk);
  require(codec.encode(codec.message.chunk) == first);
  LogOrder order;
  const LogTurn turn = order.take(outcome, codec.message);
  require(turn.outcome == LogOutcome::kChunk || turn.outcome == LogOutcome::kGap);
}

void try_estimated(std::string_view bytes) {
  static Codec codec(VerifyMode::kSketch);
  try_message(codec, bytes);
}

void try_exact(std::string_view bytes) {
  static Codec codec(VerifyMode::kExact);
  try_message(codec, bytes);
}

// With the check that it has.
void try_any(std::string_view bytes) {
  static Codec codec(VerifyMode::kSketch);
  codec.decoder.decode(bytes, codec.message);
}

void try_state(std::string_view bytes) {
  if (const auto state = decode_log_state(bytes)) require(encode_log_state(*state) == bytes);
}

void try_decided(std::string_view bytes) {
  std::string message(bytes);
  seal_log_message(message);
  Decided decided;
  if (decode_decided(message, kCluster, decided) == FrameOutcome::kOpened)
    require(encode_decided(kCluster, decided) == message);
}

void check_answer(const Answer& answer) {
  for (const CutList& list : answer.lists) require(!list.seqs.empty());
  for (const RecordAnswer& record : answer.records.told()) {
    for (const auto& [band, list] : record.bands) require(list < answer.lists.size());
    for (const std::uint32_t number : record.same) require(number < answer.documents.size());
    for (const auto& nominee : record.nominees) require(nominee.document < answer.documents.size());
  }
}

void try_answers(VerifyMode verify, std::string_view bytes) {
  const AnswerCodec codec(fuzz_rule(verify), kCluster);
  std::string message(bytes);
  seal_log_message(message);
  ShardAnswers answers;
  if (codec.decode(message, answers) != FrameOutcome::kOpened) return;
  check_answer(answers.answer);
  require(codec.encode(answers) == message);
}

void try_counted_answers(std::string_view bytes) { try_answers(VerifyMode::kSketch, bytes); }
void try_exact_answers(std::string_view bytes) { try_answers(VerifyMode::kExact, bytes); }

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr void (*kKinds[])(std::string_view) = {
      neardup::try_estimated,    neardup::try_exact,   neardup::try_any,
      neardup::try_state,        neardup::try_decided, neardup::try_counted_answers,
      neardup::try_exact_answers};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  kKinds[data[0] % std::size(kKinds)](bytes);
  return 0;
}
