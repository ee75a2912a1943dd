#include "service/kafka/message/dead_letter.h"

#include <algorithm>

#include "service/kafka/message/message.h"
#include "service/records/sha256.h"

namespace neardup {
namespace {

constexpr std::string_view kDetail = "neardup-detail";
constexpr std::string_view kTopic = "neardup-topic";
constexpr std::string_view kPartition = "neardup-partition";
constexpr std::string_view kOffset = "neardup-offset";
constexpr std::string_view kSize = "neardup-size";
constexpr std::string_view kSha256 = "neardup-sha256";
constexpr std::string_view kHeadersDropped = "neardup-headers-dropped";
constexpr std::string_view kKeyDropped = "neardup-key-dropped";
constexpr std::string_view kDeadLetterNames[] = {kReasonHeader,   kDetail,    kTopic, kPartition,
                                                 kOffset,         kSeqHeader, kSize,  kSha256,
                                                 kHeadersDropped, kKeyDropped};

bool value_at_hand(const RawRecord& record) { return record.has_value && !value_left_out(record); }

void add_reference(OutgoingMessage& letter, const RawRecord& record) {
  add_header(letter, kSize, record.too_large ? record.size : record.bytes.size());
  if (value_at_hand(record)) add_header(letter, kSha256, sha256_hex(record.bytes));
}

void drop_headers(OutgoingMessage& letter, std::size_t count) {
  if (count == 0) return;
  letter.headers.erase(letter.headers.begin(), letter.headers.begin() + static_cast<long>(count));
  add_header(letter, kHeadersDropped, count);
}

void drop_key(OutgoingMessage& letter) {
  if (!letter.key) return;
  add_header(letter, kKeyDropped, letter.key->size());
  letter.key.reset();
}

}  // namespace

OutgoingMessage make_dead_letter(const DeadLetter& of, const RawRecord& record) {
  OutgoingMessage letter = copy_without_value(record, kDeadLetterNames);
  const std::size_t passed_headers = letter.headers.size();
  letter.destination = Destination::kDeadLetter;
  add_header(letter, kReasonHeader, of.reason);
  add_header(letter, kDetail, of.detail);
  add_header(letter, kTopic, of.from.topic);
  add_header(letter, kPartition, static_cast<std::uint64_t>(of.from.partition));
  add_header(letter, kOffset, of.offset);
  if (of.seq) add_header(letter, kSeqHeader, *of.seq);
  const auto too_large = [&](std::uint64_t more) { return wire_bytes(letter) + more > of.limit; };
  if (of.with_value && value_at_hand(record) && !too_large(record.bytes.size())) {
    letter.value.emplace(record.bytes);
  } else if (record.has_value) {
    add_reference(letter, record);
  }
  if (too_large(0)) drop_headers(letter, passed_headers);
  if (too_large(0)) drop_key(letter);
  return letter;
}

std::string_view dead_letter_reason(const OutgoingMessage& message) {
  // Headers of the input that have our names are dropped.
  const auto reason = std::ranges::find(message.headers, kReasonHeader, &MessageHeader::name);
  return *reason->value;
}

}  // namespace neardup
