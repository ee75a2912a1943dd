// Any bytes as WARC, CSV and TSV: no crash, the same records in one piece and byte by byte and
// behind each of them, and objects that the decoder can parse.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "service/file/byte_stream.h"
#include "service/file/record_reader.h"
#include "service/records/record_decoder.h"

namespace {

using namespace neardup;

constexpr std::uint64_t kMostRecordBytes = 200;
constexpr std::size_t kMostResumed = 4;

void check(bool good, int line = __builtin_LINE()) {
  if (good) return;
  std::fprintf(stderr, "broken promise: line %d\n", line);
  std::abort();
}

class Bytes : public ByteStream {
 public:
  Bytes(std::string_view bytes, std::size_t piece) : rest_(bytes), piece_(piece) {}
  std::size_t read(char* to, std::size_t most) override {
    const std::size_t got = rest_.copy(to, std::min(piece_, most));
    rest_.remove_prefix(got);
    return got;
  }
  bool skip(std::uint64_t bytes) override {
    if (bytes > rest_.size()) return false;
    rest_.remove_prefix(bytes);
    return true;
  }
  const std::string& name() const override { return name_; }
  std::uint64_t stored_bytes() const override { return 0; }

 private:
  std::string name_ = "in";
  std::string_view rest_;
  std::size_t piece_;
};

struct Found {
  std::string bytes, stored;
  Line line;
  LinePosition after;
  bool operator==(const Found& other) const {
    return bytes == other.bytes && stored == other.stored && line.number == other.line.number &&
           line.size == other.line.size && line.too_large == other.line.too_large &&
           line.faulty == other.line.faulty && line.ended == other.line.ended &&
           after == other.after;
  }
};

struct Result {
  std::vector<Found> records;
  std::string failure;
  bool operator==(const Result&) const = default;
};

Result read_all(RecordReader& reader) {
  Result result;
  reader.keep_stored();
  try {
    Found found;
    while (found.bytes.clear(), reader.next(found.bytes, found.line)) {
      found.stored.clear();
      if (!found.line.too_large) {
        check(found.line.size + found.line.stored_size == found.bytes.size());
        found.stored = found.bytes.substr(found.line.stored_at, found.line.stored_size);
      } else {
        check(found.bytes.empty() && found.line.size > kMostRecordBytes);
      }
      found.bytes.resize(found.line.too_large ? 0 : found.line.size);
      found.after = reader.position();
      result.records.push_back(found);
    }
  } catch (const Failure& failure) {
    check(failure.exit() == Exit::kUnreadable);
    result.failure = failure.what();
  }
  reader.note();
  return result;
}

void check_record(RecordDecoder& decoder, const Found& found) {
  if (found.line.too_large) return;
  const std::string padded = found.bytes + std::string(kTextPadding, '\0');
  std::string_view text;
  const Record record =
      decoder.decode({.bytes = std::string_view(padded).substr(0, found.bytes.size()),
                      .source = {},
                      .size = found.bytes.size()},
                     text);
  // A sentence about a fault is no JSON, all else is, once broken bytes are replaced.
  check((record.reason == RejectReason::kInvalidJson) == found.line.faulty);
  check(record.reason != RejectReason::kDuplicateField);
  check(record.reason != RejectReason::kInvalidEscape);
}

using Make = std::unique_ptr<RecordReader> (*)(std::unique_ptr<ByteStream> stream);

void check_format(std::string_view bytes, Make make) {
  static RecordDecoder decoder({}, {});
  const auto reader = [&](std::size_t piece) {
    return make(std::make_unique<Bytes>(bytes, piece));
  };
  const Result whole = read_all(*reader(1 << 20));
  check(whole == read_all(*reader(1)));
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < whole.records.size(); ++i) {
    const Found& found = whole.records[i];
    check(found.line.number > last && found.after.bytes <= bytes.size());
    last = found.line.number;
    check_record(decoder, found);
    if (i >= kMostResumed) continue;
    const auto later = reader(7);
    check(later->resume(found.after));
    const Result rest = read_all(*later);
    check(rest.failure == whole.failure);
    check(std::equal(rest.records.begin(), rest.records.end(),
                     whole.records.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     whole.records.end()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_format(bytes, [](std::unique_ptr<ByteStream> stream) {
    return make_warc_reader(std::move(stream), kMostRecordBytes);
  });
  check_format(bytes, [](std::unique_ptr<ByteStream> stream) {
    return make_csv_reader(std::move(stream), kMostRecordBytes, ',');
  });
  check_format(bytes, [](std::unique_ptr<ByteStream> stream) {
    return make_csv_reader(std::move(stream), kMostRecordBytes, '\t');
  });
  return 0;
}
