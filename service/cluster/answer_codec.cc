#include "service/cluster/answer_codec.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "service/cluster/log_chunk.h"
#include "service/cluster/placement.h"

namespace neardup {
namespace {

constexpr std::uint32_t kMaskBits = 8;

template <class Io, class ASeq>
void age_field(Io& io, Seq as_of, ASeq& seq) {
  const std::uint64_t age = io.number(as_of - seq);
  io.require(age < as_of);
  io.set(seq, as_of - age);
}

template <class Io, class ADocument>
void answered_document_fields(Io& io, Seq as_of, ADocument& document) {
  age_field(io, as_of, document.seq);
  io.bytes(document.id);
  io.varint(document.distinct_shingles);
  io.require(!document.id.empty() && document.id.size() <= kMaxIdBytes);
}

template <class Io, class AList>
void list_fields(Io& io, Seq as_of, AList& list) {
  const std::uint64_t size = io.number(2 * list.seqs.size() + (list.more ? 1 : 0));
  io.require(size >= 2);
  io.set(list.more, size % 2 != 0);
  Seq last = 0;
  io.each(list.seqs, size / 2, [&](auto& seq) {
    if (last == 0) {
      age_field(io, as_of, seq);
    } else {
      const std::uint64_t step = io.number(seq - last);
      io.require(step != 0 && step <= as_of - last);
      io.set(seq, last + step);
    }
    last = seq;
  });
}

template <class Io, class AVersion>
void version_fields(Io& io, Seq as_of, AVersion& version) {
  auto& row = version.row;
  const auto [flagged, has_document, has_similarity] =
      io.bits(!row.kept, row.has_document, version.similarity.has_value());
  io.set(row.kept, !flagged);
  io.set(row.has_document, has_document);
  age_field(io, as_of, row.seq);
  io.fixed(row.time_ms);
  io.fixed(row.content.low);
  io.fixed(row.content.high);
  if (flagged) {
    io.varint(row.original);
    io.varint(row.similarity);
    io.require(row.original != 0 && row.original < row.seq && row.similarity <= kOne);
  }
  if (has_document) io.varint(version.text_bytes);
  if (!has_similarity) return;
  io.varint(io.present(version.similarity));
  io.require(has_document && *version.similarity <= kOne);
}

// Oldest first.
template <class Io, class Numbers>
void same_fields(Io& io, const Answer& answer, Numbers& same) {
  Seq last = 0;
  io.each(same, io.count(same), [&](auto& number) {
    io.varint(number);
    const bool exists = number < answer.documents.size();
    io.require(exists && answer.documents[number].seq > last);
    if (exists) last = answer.documents[number].seq;
  });
  io.require(!same.empty());
}

template <class Io, class Nominees>
void nominee_fields(Io& io, const SketchShape& shape, bool is_exact, const Answer& answer,
                    Nominees& nominees) {
  io.each(nominees, io.count(nominees), [&](auto& nominee) {
    io.varint(nominee.document);
    io.varint(nominee.bands_hit);
    io.varint(nominee.score.equal);
    io.set(nominee.score.all, shape.slots);
    if (is_exact) io.varint(nominee.score.all);
    io.require(nominee.document < answer.documents.size() && nominee.bands_hit != 0 &&
               nominee.bands_hit <= shape.bands && nominee.score.all != 0 &&
               nominee.score.equal <= nominee.score.all);
  });
  io.require(!nominees.empty());
}

// Near copies share most of their buckets with the same documents, so bands are grouped by list, in
// the order of the first band of each group.
void band_fields(ByteWriter& writer, const SketchShape& shape, const Answer& /*answer*/,
                 const RecordAnswer& record) {
  struct Group {
    std::uint32_t list;
    std::vector<std::uint8_t> mask;
  };
  std::vector<Group> groups;
  for (const auto& [band, list] : record.bands) {
    auto group = std::ranges::find(groups, list, &Group::list);
    if (group == groups.end()) {
      const std::size_t bytes = (shape.bands + kMaskBits - 1) / kMaskBits;
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

bool read_bands(ByteReader& reader, const SketchShape& shape, const Answer& answer,
                RecordAnswer& record) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> list_of(shape.bands, kNone);
  std::vector<std::uint32_t> lists;
  std::uint32_t first_of_last = 0;
  const std::uint64_t groups = reader.varint();
  if (groups == 0 || groups > shape.bands) return false;
  for (std::uint64_t n = 0; n < groups; ++n) {
    const std::uint32_t list = reader.varint32();
    if (list >= answer.lists.size() || std::ranges::count(lists, list) != 0) return false;
    lists.push_back(list);
    std::uint32_t first = kNone;
    for (std::uint32_t band = 0; band < shape.bands; band += kMaskBits) {
      const std::uint64_t mask = reader.little_endian(1);
      for (std::uint32_t bit = 0; bit < kMaskBits; ++bit) {
        if ((mask >> bit & 1) == 0) continue;
        if (band + bit >= shape.bands || list_of[band + bit] != kNone) return false;
        list_of[band + bit] = list;
        first = std::min(first, band + bit);
      }
    }
    if (first == kNone || (n != 0 && first < first_of_last)) return false;
    first_of_last = first;
  }
  for (std::uint32_t band = 0; band < shape.bands; ++band) {
    if (list_of[band] != kNone) record.bands.push_back({band, list_of[band]});
  }
  return true;
}

void band_fields(ByteReader& reader, const SketchShape& shape, const Answer& answer,
                 RecordAnswer& record) {
  reader.require(read_bands(reader, shape, answer, record));
}

bool tells(const RecordAnswer& record) {
  return record.version || !record.same.empty() || !record.bands.empty() ||
         !record.nominees.empty();
}

template <class Io, class ARecord>
void record_answer_fields(Io& io, const SketchShape& shape, bool is_exact, const Answer& answer,
                          ARecord& record) {
  const auto [has_version, has_same, more_same, has_bands, has_nominees] =
      io.bits(record.version.has_value(), !record.same.empty(), record.more_same,
              !record.bands.empty(), !record.nominees.empty());
  io.require(has_version || has_same || has_bands || has_nominees);
  io.require(has_same || !more_same);
  io.set(record.more_same, more_same);
  if (has_version) version_fields(io, answer.as_of, io.present(record.version));
  if (has_same) same_fields(io, answer, record.same);
  if (has_bands) band_fields(io, shape, answer, record);
  if (has_nominees) nominee_fields(io, shape, is_exact, answer, record.nominees);
}

// All before the records.
template <class Io, class Answers>
void answer_fields(Io& io, Answers& answers) {
  auto& answer = answers.answer;
  io.varint(answers.shard);
  io.varint(answer.first);
  io.varint(answer.as_of);
  const std::uint64_t records = io.count(answer.records);
  io.require(answers.shard < kMostShards && answer.first != 0 && answer.first <= kMaxSeq &&
             answer.as_of <= kMaxSeq && records <= kMostChunkRecords);
  if constexpr (Io::kReads) answer.records.reset(io.fits() ? records : 0);
  io.each(answer.documents, io.count(answer.documents),
          [&](auto& document) { answered_document_fields(io, answer.as_of, document); });
  io.each(answer.lists, io.count(answer.lists),
          [&](auto& list) { list_fields(io, answer.as_of, list); });
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
  answer_fields(writer, answers);
  writer.varint(static_cast<std::uint64_t>(std::ranges::count_if(answer.records.told(), tells)));
  std::uint64_t skipped = 0;
  for (std::size_t i = 0; i < answer.records.size(); ++i) {
    const RecordAnswer& record = answer.records[i];
    if (!tells(record)) {
      ++skipped;
      continue;
    }
    writer.varint(std::exchange(skipped, 0));
    record_answer_fields(writer, shape_, is_exact_, answer, record);
  }
  seal_log_message(message);
  return message;
}

FrameOutcome AnswerCodec::decode(std::string_view message, ShardAnswers& answers) const {
  const OpenedFrame frame = open_frame(message, cluster_);
  if (frame.outcome != FrameOutcome::kOpened) return frame.outcome;
  if (frame.kind != LogKind::kAnswers) return FrameOutcome::kDamaged;
  ByteReader reader(frame.body);
  if (reader.bytes() != fingerprint_) return FrameOutcome::kOtherCluster;
  answers = {};
  answer_fields(reader, answers);
  read_records(reader, answers.answer);
  return reader.finished() ? FrameOutcome::kOpened : FrameOutcome::kDamaged;
}

void AnswerCodec::read_records(ByteReader& reader, Answer& answer) const {
  std::uint64_t next = 0;
  std::uint64_t left = reader.varint();
  reader.require(left <= answer.records.size());
  if (reader.fits()) answer.records.reserve(left);
  for (; left > 0; --left) {
    const std::uint64_t skipped = reader.varint();
    reader.require(skipped < answer.records.size() - next);
    if (!reader.fits()) return;
    next += skipped;
    record_answer_fields(reader, shape_, is_exact_, answer, answer.records.add(next++));
  }
}

}  // namespace neardup
