// Any bytes as a record: no crash, the same answer whatever stands after them, texts that are
// UTF-8.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "pipeline/base/utf8.h"
#include "pipeline/model/text_batch.h"
#include "service/records/flag_writer.h"
#include "service/records/record_decoder.h"

namespace {

using namespace neardup;

void check(bool good, int line = __builtin_LINE()) {
  if (good) return;
  std::fprintf(stderr, "broken promise: line %d\n", line);
  std::abort();
}

struct Decoded {
  Record record;
  std::string text;
};

Decoded decode(RecordDecoder& decoder, std::string_view json, char padding) {
  const std::string padded = std::string(json) + std::string(kTextPadding, padding);
  std::string_view text;
  const RawRecord raw{
      .bytes = std::string_view(padded).substr(0, json.size()), .source = {}, .size = json.size()};
  Decoded decoded{.record = decoder.decode(raw, text), .text = {}};
  decoded.text = text;
  return decoded;
}

void check_record(const Decoded& decoded, std::string_view json) {
  const Record& record = decoded.record;
  const bool rejected = record.kind == RecordKind::kRejected;
  check(rejected == (record.reason != RejectReason::kNone));
  check(rejected == !record.detail.empty());
  check(rejected || record.has_id);
  check(record.has_id == !record.id.empty() && record.id.size() <= kMaxIdBytes);
  check(valid_utf8(record.id) && valid_utf8(record.name_space) && valid_utf8(decoded.text));
  check(decoded.text.size() <= 3 * json.size());
  check(record.kind == RecordKind::kDocument || decoded.text.empty());
}

void check_same(const Decoded& a, const Decoded& b) {
  check(a.record.kind == b.record.kind && a.record.reason == b.record.reason);
  check(a.record.has_id == b.record.has_id && a.record.id == b.record.id);
  check(a.record.name_space == b.record.name_space && a.record.detail == b.record.detail);
  check(a.record.ts_ms == b.record.ts_ms && a.text == b.text);
}

// The id comes back from its flag.
void check_flag(const Record& record) {
  Flag flag;
  flag.id = record.id;
  flag.name_space = record.name_space;
  std::string line;
  FlagWriter("0123456789abcdef", 800'000, [](const SourcePosition&, std::string& out) {
    out += "{}";
  }).append(flag, line);
  RecordDecoder decoder({}, {});
  const Record back = decode(decoder, line, '\0').record;
  check(back.id == record.id && back.name_space == record.name_space);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  static RecordDecoder plain({}, {});
  static RecordDecoder nested(
      {.id_field = "/id", .text_field = "/page/body", .namespace_field = "/tags/0"},
      {.invalid_utf8 = InvalidUtf8::kReject});
  for (RecordDecoder* decoder : {&plain, &nested}) {
    const Decoded decoded = decode(*decoder, json, '\0');
    check_record(decoded, json);
    for (const char padding : {'}', ']', '"', ',', '1'}) {
      check_same(decoded, decode(*decoder, json, padding));
    }
    if (decoded.record.has_id) check_flag(decoded.record);
  }
  return 0;
}
