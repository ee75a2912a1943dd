// Answers of shards (pipeline/shard/answer.h) as messages of the topic of answers.
//
//   answers  := bytes(rule) shard:varint first:varint as_of:varint records:varint
//               documents:varint document… lists:varint list… told:varint record…
//   document := age:varint bytes(id) distinct_shingles:varint
//   list     := size and more:varint age:varint step:varint…      size · 2 + 1 where there are more
//   record   := skipped:varint bits:u8 [version] [same] [bands] [nominees]
//               bits: 1 version, 2 same, 4 more of the same, 8 bands, 16 nominees
//   version  := bits:u8 age:varint time_ms:u64le content.low:u64le content.high:u64le
//               [original:varint similarity:varint] [text_bytes:varint] [similarity:varint]
//               bits: 1 flagged, 2 a document, 4 a similarity to the record
//   same     := count:varint number:varint…                       of documents
//   bands    := groups:varint (list:varint mask)…                  a bit for each band
//   nominees := count:varint (document:varint bands_hit:varint equal:varint [all:varint])…
//
// The body of a message (service/cluster/log_message.h). age: as_of minus the seq. step: the
// difference from the seq before. skipped: records without anything to report before this one. all:
// only where the rule verifies exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/rule/rule.h"
#include "pipeline/shard/answer.h"
#include "service/cluster/log_message.h"
#include "storage/bytes.h"

namespace neardup {

struct ShardAnswers {
  std::uint32_t shard = 0;  // its number
  Answer answer;
};

class AnswerCodec {
 public:
  // `cluster`: its uuid.
  AnswerCodec(const Rule& rule, std::string cluster);

  // Requires: about the records of one chunk at most.
  std::string encode(const ShardAnswers& answers) const;

  // Accepts any bytes. kOpened: they are answers of this cluster and rule, exactly as encoding
  // writes them, and `answers` is overwritten with them; places in them exist. kOtherCluster: or
  // another rule.
  FrameOutcome decode(std::string_view message, ShardAnswers& answers) const;

 private:
  void read_records(ByteReader& reader, Answer& answer) const;

  std::string fingerprint_;
  std::string cluster_;
  SketchShape shape_;
  bool is_exact_;
};

}  // namespace neardup
