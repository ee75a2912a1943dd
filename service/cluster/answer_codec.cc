#include "service/cluster/answer_codec.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "service/cluster/log_chunk.h"
#include "service/cluster/placement.h"

namespace neardup {
namespace {

// Of a record.
constexpr std::uint64_t kAnswerVersion = 1;
constexpr std::uint64_t kSame = 2;
constexpr std::uint64_t kMoreSame = 4;
constexpr std::uint64_t kBands = 8;
constexpr std::uint64_t kNominees = 16;
constexpr std::uint64_t kAllAnswerBits = 31;
// Of a version.
constexpr std::uint64_t kFlagged = 1;
constexpr std::uint64_t kDocument = 2;
constexpr std::uint64_t kSimilarity = 4;
constexpr std::uint64_t kAllVersionBits = 7;
constexpr std::uint32_t kMaskBits = 8;

std::uint64_t bits_of(const RecordAnswer& record) {
  return (record.version ? kAnswerVersion : 0) | (record.same.empty() ? 0 : kSame) |
         (record.more_same ? kMoreSame : 0) | (record.bands.empty() ? 0 : kBands) |
         (record.nominees.empty() ? 0 : kNominees);
}

// The seq that lies so far before `as_of`; 0: there is none.
Seq read_seq(ByteReader& reader, Seq as_of) {
  const std::uint64_t age = reader.varint();
  return age < as_of ? as_of - age : 0;
}

void put_list(const CutList& list, Seq as_of, ByteWriter& writer) {
  writer.varint(2 * list.seqs.size() + (list.more ? 1 : 0));
  writer.varint(as_of - list.seqs.front());
  for (std::size_t n = 1; n < list.seqs.size(); ++n) writer.varint(list.seqs[n] - list.seqs[n - 1]);
}

bool read_list(ByteReader& reader, Seq as_of, CutList& list) {
  const std::uint64_t size = reader.varint();
  list.more = size % 2 != 0;
  Seq seq = read_seq(reader, as_of);
  if (size < 2 || seq == 0) return false;
  list.seqs.push_back(seq);
  for (std::uint64_t n = 1; n < size / 2; ++n) {
    const std::uint64_t step = reader.varint();
    if (step == 0 || step > as_of - seq) return false;
    list.seqs.push_back(seq += step);
  }
  return true;
}

bool read_document(ByteReader& reader, Seq as_of, AnsweredDocument& document) {
  document.seq = read_seq(reader, as_of);
  document.id = reader.bytes();
  document.distinct_shingles = reader.varint32();
  return document.seq != 0 && !document.id.empty() && document.id.size() <= kMaxIdBytes;
}

void put_version(const AnsweredVersion& version, Seq as_of, ByteWriter& writer) {
  const IdRow& row = version.row;
  writer.little_endian((row.kept ? 0 : kFlagged) | (row.has_document ? kDocument : 0) |
                           (version.similarity ? kSimilarity : 0),
                       1);
  writer.varint(as_of - row.seq);
  writer.little_endian(static_cast<std::uint64_t>(row.time_ms), 8);
  writer.little_endian(row.content.low, 8);
  writer.little_endian(row.content.high, 8);
  if (!row.kept) {
    writer.varint(row.original);
    writer.varint(row.similarity);
  }
  if (row.has_document) writer.varint(version.text_bytes);
  if (version.similarity) writer.varint(*version.similarity);
}

bool read_similarity(ByteReader& reader, Ppm& similarity) {
  similarity = reader.varint32();
  return similarity <= kOne;
}

bool read_version(ByteReader& reader, Seq as_of, AnsweredVersion& version) {
  IdRow& row = version.row;
  const std::uint64_t bits = reader.little_endian(1);
  row.kept = (bits & kFlagged) == 0;
  row.has_document = (bits & kDocument) != 0;
  row.seq = read_seq(reader, as_of);
  row.time_ms = static_cast<std::int64_t>(reader.little_endian(8));
  row.content.low = reader.little_endian(8);
  row.content.high = reader.little_endian(8);
  if (!row.kept) {
    row.original = reader.varint();
    if (!read_similarity(reader, row.similarity)) return false;
  }
  if (row.has_document) version.text_bytes = reader.varint32();
  const bool is_compared = (bits & kSimilarity) != 0;
  if (is_compared && !read_similarity(reader, version.similarity.emplace())) return false;
  return bits <= kAllVersionBits && row.seq != 0 && row.kept == (row.original == 0) &&
         row.original < row.seq && (row.has_document || !is_compared);
}

// Oldest first.
bool read_same(ByteReader& reader, const Answer& answer, RecordAnswer& record) {
  const std::uint64_t count = reader.varint();
  Seq last = 0;
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint32_t number = reader.varint32();
    if (number >= answer.documents.size() || answer.documents[number].seq <= last) return false;
    last = answer.documents[number].seq;
    record.same.push_back(number);
  }
  return count != 0;
}

}  // namespace

AnswerCodec::AnswerCodec(const Rule& rule, std::string cluster)
    : fingerprint_(rule_fingerprint(rule_text(rule))),
      cluster_(std::move(cluster)),
      shape_(rule.plan.shape()),
      is_exact_(rule.decision.verify == VerifyMode::kExact) {}

std::string AnswerCodec::encode(const ShardAnswers& answers) const {
  const Answer& answer = answers.answer;
  std::string message = begin_log_message(LogKind::kAnswers, cluster_);
  ByteWriter writer(message);
  writer.bytes(fingerprint_);
  writer.varint(answers.shard);
  writer.varint(answer.first);
  writer.varint(answer.as_of);
  writer.varint(answer.records.size());
  writer.varint(answer.documents.size());
  for (const AnsweredDocument& document : answer.documents) {
    writer.varint(answer.as_of - document.seq);
    writer.bytes(document.id);
    writer.varint(document.distinct_shingles);
  }
  writer.varint(answer.lists.size());
  for (const CutList& list : answer.lists) put_list(list, answer.as_of, writer);
  const auto tells = [](const RecordAnswer& record) { return bits_of(record) != 0; };
  writer.varint(static_cast<std::uint64_t>(std::ranges::count_if(answer.records.told(), tells)));
  std::uint64_t skipped = 0;
  for (std::size_t i = 0; i < answer.records.size(); ++i) {
    const RecordAnswer& record = answer.records[i];
    if (!tells(record)) {
      ++skipped;
      continue;
    }
    writer.varint(std::exchange(skipped, 0));
    put_record(record, answer.as_of, writer);
  }
  seal_log_message(message);
  return message;
}

void AnswerCodec::put_record(const RecordAnswer& record, Seq as_of, ByteWriter& writer) const {
  writer.little_endian(bits_of(record), 1);
  if (record.version) put_version(*record.version, as_of, writer);
  if (!record.same.empty()) {
    writer.varint(record.same.size());
    for (const std::uint32_t number : record.same) writer.varint(number);
  }
  if (!record.bands.empty()) put_bands(record, writer);
  if (record.nominees.empty()) return;
  writer.varint(record.nominees.size());
  for (const RecordAnswer::Nominee& nominee : record.nominees) {
    writer.varint(nominee.document);
    writer.varint(nominee.bands_hit);
    writer.varint(nominee.score.equal);
    if (is_exact_) writer.varint(nominee.score.all);
  }
}

// Near copies share most of their buckets with the same documents, so bands are grouped by list, in
// the order of the first band of each group.
void AnswerCodec::put_bands(const RecordAnswer& record, ByteWriter& writer) const {
  struct Group {
    std::uint32_t list;
    std::vector<std::uint8_t> mask;
  };
  std::vector<Group> groups;
  for (const auto& [band, list] : record.bands) {
    auto group = std::ranges::find(groups, list, &Group::list);
    if (group == groups.end()) {
      const std::size_t bytes = (shape_.bands + kMaskBits - 1) / kMaskBits;
      group = groups.insert(group, {list, std::vector<std::uint8_t>(bytes)});
    }
    group->mask[band / kMaskBits] |= static_cast<std::uint8_t>(1u << band % kMaskBits);
  }
  writer.varint(groups.size());
  for (const Group& group : groups) {
    writer.varint(group.list);
    for (const std::uint8_t byte : group.mask) writer.little_endian(byte, 1);
  }
}

FrameOutcome AnswerCodec::decode(std::string_view message, ShardAnswers& answers) const {
  const OpenedFrame frame = open_frame(message, cluster_);
  if (frame.outcome != FrameOutcome::kOpened) return frame.outcome;
  if (frame.kind != LogKind::kAnswers) return FrameOutcome::kDamaged;
  ByteReader reader(frame.body);
  if (reader.bytes() != fingerprint_) return FrameOutcome::kOtherCluster;
  answers = {};
  const bool complete =
      read_head(reader, answers) && read_records(reader, answers.answer) && reader.finished();
  return complete ? FrameOutcome::kOpened : FrameOutcome::kDamaged;
}

bool AnswerCodec::read_head(ByteReader& reader, ShardAnswers& answers) const {
  Answer& answer = answers.answer;
  answers.shard = reader.varint32();
  answer.first = reader.varint();
  answer.as_of = reader.varint();
  const std::uint64_t records = reader.varint();
  if (answers.shard >= kMostShards || answer.first == 0 || answer.first > kMaxSeq ||
      answer.as_of > kMaxSeq || records > kMostChunkRecords) {
    return false;
  }
  answer.records.reset(records);
  for (std::uint64_t left = reader.varint(); left > 0; --left) {
    if (!read_document(reader, answer.as_of, answer.documents.emplace_back())) return false;
  }
  for (std::uint64_t left = reader.varint(); left > 0; --left) {
    if (!read_list(reader, answer.as_of, answer.lists.emplace_back())) return false;
  }
  return true;
}

bool AnswerCodec::read_records(ByteReader& reader, Answer& answer) const {
  std::uint64_t next = 0;
  std::uint64_t left = reader.varint();
  if (left > answer.records.size()) return false;
  answer.records.reserve(left);
  for (; left > 0; --left) {
    const std::uint64_t skipped = reader.varint();
    if (skipped >= answer.records.size() - next) return false;
    next += skipped;
    if (!read_record(reader, answer, answer.records.add(next++))) return false;
  }
  return true;
}

bool AnswerCodec::read_record(ByteReader& reader, const Answer& answer,
                              RecordAnswer& record) const {
  const std::uint64_t bits = reader.little_endian(1);
  if (bits == 0 || bits > kAllAnswerBits) return false;
  record.more_same = (bits & kMoreSame) != 0;
  if (record.more_same && (bits & kSame) == 0) return false;
  return ((bits & kAnswerVersion) == 0 ||
          read_version(reader, answer.as_of, record.version.emplace())) &&
         ((bits & kSame) == 0 || read_same(reader, answer, record)) &&
         ((bits & kBands) == 0 || read_bands(reader, answer, record)) &&
         ((bits & kNominees) == 0 || read_nominees(reader, answer, record));
}

bool AnswerCodec::read_bands(ByteReader& reader, const Answer& answer, RecordAnswer& record) const {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> list_of(shape_.bands, kNone);
  std::vector<std::uint32_t> lists;
  std::uint32_t first_of_last = 0;
  const std::uint64_t groups = reader.varint();
  if (groups == 0 || groups > shape_.bands) return false;
  for (std::uint64_t n = 0; n < groups; ++n) {
    const std::uint32_t list = reader.varint32();
    if (list >= answer.lists.size() || std::ranges::count(lists, list) != 0) return false;
    lists.push_back(list);
    std::uint32_t first = kNone;
    for (std::uint32_t band = 0; band < shape_.bands; band += kMaskBits) {
      const std::uint64_t mask = reader.little_endian(1);
      for (std::uint32_t bit = 0; bit < kMaskBits; ++bit) {
        if ((mask >> bit & 1) == 0) continue;
        if (band + bit >= shape_.bands || list_of[band + bit] != kNone) return false;
        list_of[band + bit] = list;
        first = std::min(first, band + bit);
      }
    }
    if (first == kNone || (n != 0 && first < first_of_last)) return false;
    first_of_last = first;
  }
  for (std::uint32_t band = 0; band < shape_.bands; ++band) {
    if (list_of[band] != kNone) record.bands.push_back({band, list_of[band]});
  }
  return true;
}

bool AnswerCodec::read_nominees(ByteReader& reader, const Answer& answer,
                                RecordAnswer& record) const {
  const std::uint64_t count = reader.varint();
  for (std::uint64_t n = 0; n < count; ++n) {
    RecordAnswer::Nominee nominee;
    nominee.document = reader.varint32();
    nominee.bands_hit = reader.varint32();
    nominee.score.equal = reader.varint32();
    nominee.score.all = is_exact_ ? reader.varint32() : shape_.slots;
    if (nominee.document >= answer.documents.size() || nominee.bands_hit == 0 ||
        nominee.bands_hit > shape_.bands || nominee.score.all == 0 ||
        nominee.score.equal > nominee.score.all) {
      return false;
    }
    record.nominees.push_back(nominee);
  }
  return count != 0;
}

}  // namespace neardup
