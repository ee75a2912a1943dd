#include "service/records/notice_words.h"

#include <array>

#include "fmt/format.h"
#include "pipeline/base/json_object.h"

namespace neardup {
namespace {

// By NoticeKind.
constexpr std::array<NoticeWords, std::tuple_size_v<NoticeCounts>> kWords{{
    {"records without a time that can be read",
     "retention.max_age takes each to be as old as the latest time before it, and without any time "
     "nothing is forgotten. Name the field with input.timestamp_field; write seconds or "
     "milliseconds as a number, or RFC 3339"},
    {"records with bytes that are not UTF-8",
     "they became U+FFFD. Convert the input to UTF-8, or set text.invalid_utf8: reject"},
    {"records with half of a surrogate pair in the text",
     "it became U+FFFD, since the text was cut within a character. Cut between characters, or set "
     "text.invalid_utf8: reject"},
    {"records in UTF-16",
     "they were rejected, or, where the whole value is the text, read as if they were UTF-8. "
     "Convert "
     "the input with `iconv -f UTF-16 -t UTF-8`"},
    {"messages with a schema registry frame but without input.frame, or the reverse",
     "they were rejected. Set input.frame to confluent where JSON follows the frame, and to none "
     "where there is none; Avro and Protobuf have to become JSON first"},
    {"records that are a JSON array",
     "they were rejected. An array of records becomes one record a line with `jq -c '.[]'`"},
    {"requests in another charset than UTF-8",
     "they were refused with 415. Send UTF-8, and say so or nothing in Content-Type"},
}};

}  // namespace

NoticeWords notice_words(NoticeKind kind) { return kWords[static_cast<std::size_t>(kind)]; }

std::string notice_text(const NoticeCounts& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{:>10}  {}: {}\n", counts[i], kWords[i].what, kWords[i].remedy);
  }
  return text;
}

std::string notice_json(const NoticeCounts& counts) {
  JsonObject object;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto kind = static_cast<NoticeKind>(i);
    if (kind != NoticeKind::kCharset) object.number(name(kind), counts[i]);
  }
  return object.str();
}

}  // namespace neardup
