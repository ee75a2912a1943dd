// What comes from Kafka or lies in the outbox, and nobody vouches for: the first byte picks what it
// is taken for. What is decoded must encode to the same again; a message becomes a record that
// keeps its promises, whatever it is.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "pipeline/base/utf8.h"
#include "pipeline/model/text_batch.h"
#include "service/kafka/message/commit_metadata.h"
#include "service/kafka/message/flag_codec.h"
#include "service/kafka/message/message_decoder.h"
#include "service/kafka/message/positions.h"
#include "service/kafka/start/delivered_order.h"
#include "service/kafka/store/order_message.h"
#include "service/kafka/store/stored_batch.h"

namespace neardup {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string encoded(const StoredBatch& batch) {
  std::string flags;
  for (const Flag& flag : batch.flags) encode_flag(flag, flags);
  return encode_batch(batch, flags);
}

// Not always the same bytes: a frame of zstd can say the same in many ways.
void try_batch(std::string_view bytes) {
  const auto batch = decode_batch(bytes);
  if (!batch) return;
  const std::string first = encoded(*batch);
  const auto again = decode_batch(first);
  require(again && encoded(*again) == first);
}

void try_flag(std::string_view bytes) {
  ByteReader reader(bytes);
  Flag flag;
  if (!decode_flag(reader, flag) || !reader.finished()) return;
  std::string again;
  encode_flag(flag, again);
  require(again == bytes);
}

void try_mark(std::string_view bytes) {
  if (const auto mark = decode_mark(bytes))
    require(encode_mark(*mark, topic_id_of_mark(bytes)) == bytes);
}

void try_positions(std::string_view bytes) {
  if (const auto positions = decode_positions(bytes))
    require(encode_positions(*positions) == bytes);
}

// Not always the same bytes, as those of a batch.
void try_order(std::string_view bytes) {
  const auto head = decode_order_head(bytes);
  const auto order = decode_order(bytes);
  if (!order) return;
  require(head && head->after == order->after && head->first == order->first);
  const std::string first = encode_order(*order);
  const auto again = decode_order(first);
  require(again && again->runs == order->runs && encode_order(*again) == first);
}

void try_flag_record(std::string_view bytes) {
  static FlagPlaceReader reader;
  const auto place = reader.read(bytes);
  require(!place || (!place->rule.empty() && !place->source.partition.topic.empty()));
}

// The part before the next newline, which both are cut off.
std::string_view cut(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::string_view part = bytes.substr(0, end);
  bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
  return part;
}

void check_record(const Record& record, std::string_view text, std::string_view value) {
  const bool rejected = record.kind == RecordKind::kRejected;
  require(rejected == (record.reason != RejectReason::kNone) && rejected == !record.detail.empty());
  require(rejected || record.has_id);
  require(record.has_id == !record.id.empty() && record.id.size() <= kMaxIdBytes);
  require(valid_utf8(record.id) && valid_utf8(record.name_space) && valid_utf8(text));
  require(text.size() <= 3 * value.size());
}

// Key, namespace and value, a line each; the value, which may have more lines, last.
void try_message(std::string_view bytes) {
  static MessageDecoder json({}, {});
  static MessageDecoder raw({.format = InputFormat::kRaw}, {.invalid_utf8 = InvalidUtf8::kReject});
  const std::string_view key = cut(bytes);
  const std::array headers{RawHeader{"other", "x"}, RawHeader{kNamespaceHeader, cut(bytes)}};
  const std::string padded = std::string(bytes) + std::string(kTextPadding, '"');
  for (const bool has_value : {true, false}) {
    RawRecord record{.bytes = std::string_view(padded).substr(0, has_value ? bytes.size() : 0),
                     .source = {},
                     .size = has_value ? bytes.size() : 0,
                     .has_value = has_value,
                     .headers = headers};
    if (!key.empty()) record.key = key;
    for (MessageDecoder* decoder : {&json, &raw}) {
      std::string_view text;
      const Record decoded = decoder->decode(record, text);
      check_record(decoded, text, record.bytes);
    }
  }
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr void (*kKinds[])(std::string_view) = {
      neardup::try_batch,   neardup::try_flag,  neardup::try_mark,       neardup::try_positions,
      neardup::try_message, neardup::try_order, neardup::try_flag_record};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  kKinds[data[0] % std::size(kKinds)](bytes);
  return 0;
}
