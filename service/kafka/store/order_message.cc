#include "service/kafka/store/order_message.h"

#include <algorithm>
#include <limits>

#include "storage/bytes.h"
#include "storage/rocksdb/text_codec.h"

namespace neardup {
namespace {

constexpr std::uint64_t kOrderVersion = 1;
constexpr std::uint64_t kOrderVersionWithIds = 2;
// More than any batch needs: a frame with a larger size is not valid.
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{64} << 20;
constexpr auto kMaxOffset = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

std::vector<OrderRun> runs_of(const std::vector<Flag>& flags) {
  std::vector<OrderRun> runs;
  for (const Flag& flag : flags) {
    const auto offset = static_cast<std::int64_t>(flag.source.place);
    if (!runs.empty() && runs.back().input == flag.source.input &&
        runs.back().offset + static_cast<std::int64_t>(runs.back().records) == offset) {
      ++runs.back().records;
    } else {
      runs.push_back({flag.source.input, offset, 1});
    }
  }
  return runs;
}

std::int64_t end_of(const OrderRun& run) {
  return run.offset + static_cast<std::int64_t>(run.records);
}

std::string encode_runs(const OrderMessage& order) {
  std::string out;
  ByteWriter writer(out);
  writer.bytes(encode_positions(order.places));
  if (!order.ids.empty()) writer.bytes(encode_topic_ids(order.ids));
  writer.varint(order.runs.size());
  for (const OrderRun& run : order.runs) writer.varint(run.input);
  std::vector<std::int64_t> ends(order.places.size());
  for (const OrderRun& run : order.runs) {
    writer.varint(static_cast<std::uint64_t>(run.offset - ends.at(run.input)));
    ends[run.input] = end_of(run);
  }
  for (const OrderRun& run : order.runs) writer.varint(run.records - 1);
  return out;
}

// Reads the offset and the number of records of each run. False: a number is too large, or the runs
// do not have as many records as the mark says.
bool read_offsets(ByteReader& reader, OrderMessage& order) {
  std::vector<std::uint64_t> gaps;
  for (std::size_t i = 0; i < order.runs.size(); ++i) gaps.push_back(reader.varint());
  std::vector<std::uint64_t> ends(order.places.size());
  std::uint64_t records = 0;
  for (std::size_t i = 0; i < order.runs.size(); ++i) {
    OrderRun& run = order.runs[i];
    const std::uint64_t more = reader.varint();
    std::uint64_t& end = ends[run.input];
    if (gaps[i] > kMaxOffset - end || more >= kMaxOffset - end - gaps[i]) return false;
    run.offset = static_cast<std::int64_t>(end + gaps[i]);
    run.records = more + 1;
    end += gaps[i] + run.records;
    if (run.records > kMaxSeq - records) return false;
    records += run.records;
  }
  return reader.finished() && records == order.after.next_seq - order.first;
}

bool decode_runs(std::string_view bytes, bool has_ids, OrderMessage& order) {
  ByteReader reader(bytes);
  auto places = decode_positions(reader.bytes());
  auto ids = has_ids ? decode_topic_ids(reader.bytes()) : TopicIds();
  const std::uint64_t runs = reader.varint();
  if (!places || !ids || ids->empty() == has_ids) return false;
  if (runs == 0 || runs > bytes.size()) return false;
  order.places = *std::move(places);
  order.ids = *std::move(ids);
  order.runs.resize(runs);
  for (OrderRun& run : order.runs) {
    run.input = reader.varint32();
    if (run.input >= order.places.size()) return false;
  }
  return read_offsets(reader, order);
}

// `version`: that of the message, if there is a result.
std::optional<OrderMessage> read_head(ByteReader& reader, std::uint64_t& version) {
  version = reader.little_endian(1);
  if (version != kOrderVersion && version != kOrderVersionWithIds) return {};
  const auto mark = decode_mark(reader.bytes());
  const Seq first = reader.varint();
  if (!mark || first == 0 || first >= mark->next_seq || mark->next_seq > kMaxSeq) return {};
  return OrderMessage{.after = *mark, .first = first, .places = {}, .ids = {}, .runs = {}};
}

}  // namespace

std::string encode_order(const OrderMessage& order) {
  std::string out;
  ByteWriter writer(out);
  writer.little_endian(order.ids.empty() ? kOrderVersion : kOrderVersionWithIds, 1);
  writer.bytes(encode_mark(order.after));
  writer.varint(order.first);
  out += TextCodec().encode(encode_runs(order));
  return out;
}

std::string encode_order(const StoredBatch& batch, const TopicIds& ids) {
  return encode_order(OrderMessage{.after = batch.after,
                                   .first = batch.flags.front().seq,
                                   .places = batch.to,
                                   .ids = ids,
                                   .runs = runs_of(batch.flags)});
}

std::optional<OrderMessage> decode_order_head(std::string_view bytes) {
  ByteReader reader(bytes);
  std::uint64_t version = 0;
  return read_head(reader, version);
}

std::optional<OrderMessage> decode_order(std::string_view bytes) {
  ByteReader reader(bytes);
  std::uint64_t version = 0;
  auto order = read_head(reader, version);
  if (!order) return {};
  const auto runs = TextCodec().decode(reader.rest(), kMaxFrameBytes);
  if (!runs || !reader.finished() || !decode_runs(*runs, version == kOrderVersionWithIds, *order)) {
    return {};
  }
  return order;
}

}  // namespace neardup
