// Requests of documents, from their bytes to the flags of their records: JSON Lines, one object, a
// text, compressed or not, by length or in chunks. In one piece and byte by byte they must get the
// same answers, with a flag for each record and none without the token.
#include <string>
#include <vector>

#include "pipeline/base/utf8.h"
#include "service/http/router.h"
#include "service/ingest/body_record_decoder.h"
#include "service/ingest/documents_port.h"
#include "service/ingest/http_delivery.h"
#include "service/ingest/http_source.h"
#include "tests/fuzz/request_feed.h"

namespace neardup {
namespace {

constexpr std::size_t kMaxHead = 512;
constexpr std::uint64_t kMaxRecord = 256;
constexpr std::uint64_t kMostRecords = 1000;  // a few compressed bytes can be very many
constexpr const char* kRule = "0123456789abcdef";
constexpr std::string_view kToken = "0123456789abcdef";

HttpGuard guard() {
  HttpGuard guard;
  guard.set_writers({std::string(kToken)});
  guard.open_reading();
  guard.restrict_hosts({"localhost"});
  return guard;
}

// A service that decides nothing: each record that can be used is unique.
class Connection {
 public:
  Connection(std::string_view bytes, std::size_t piece) : feed_(bytes, piece, kMaxHead, 0) {}

  // The answers, up to what is no request, or has too many records.
  std::string run() {
    while (request()) feed_.reader().next_request();
    return said_;
  }

 private:
  // False when it is the last one.
  bool request() {
    RequestReader& reader = feed_.reader();
    if (!feed_.read([&] { return reader.read_head(); })) return false;
    const RequestHead& head = reader.head();
    HttpTurn turn = router_.turn(head);
    if (turn.refusal) {
      require(turn.refusal->status >= 400);
      return say(*turn.refusal) && !head.has_body;
    }
    require(head.path == kCheckPath || head.authorization.ends_with(kToken));
    require(head.rule.empty() || head.rule == kRule);
    return upload(*turn.upload);
  }

  bool upload(HttpUpload& upload) {
    RequestReader& reader = feed_.reader();
    feed_.allow_any_body();
    port_.open();
    const bool complete = feed_.read([&] {
      const Progress progress = reader.read_body();
      if (progress != Progress::kRefused) take(upload, reader.take_body());
      return progress;
    });
    std::optional<HttpAnswer> answer;
    records_ = 0;
    complete ? upload.end([&](HttpAnswer given) { answer = std::move(given); }) : upload.abandon();
    port_.close();
    if (!decide()) return false;
    require(port_.requests().size() == 0 && answer.has_value() == complete);
    if (!complete) return false;
    // What comes out of a damaged body before the damage is seen can depend on the pieces.
    if (answer->status == 400) return false;
    require(answer->status == 200);
    require_flags(text_of(*answer));
    return say(*answer);
  }

  static void take(HttpUpload& upload, std::string bytes) {
    if (!bytes.empty()) require(upload.take(std::move(bytes), {}) == HttpUpload::Taken::kMore);
  }

  // False: there are too many records.
  bool decide() {
    while (source_.read(kMostRecords, kMaxRecord, chunk_)) {
      records_ += chunk_.records.size();
      if (records_ > kMostRecords) return false;
      std::vector<Flag> flags;
      for (const RawRecord& raw : chunk_.records) flags.push_back(flag_of(raw));
      delivery_.add(chunk_, flags);
      delivery_.end_batch();
      delivery_.after_commit();
    }
    return true;
  }

  Flag flag_of(const RawRecord& raw) {
    require(raw.bytes.size() <= kMaxRecord && (!raw.too_large || raw.size > kMaxRecord));
    std::string_view text;
    const Record record = decoder_.decode(raw, text);
    require(valid_utf8(text) && valid_utf8(record.id) && valid_utf8(record.name_space));
    Flag flag;
    flag.seq = ++seq_;
    flag.has_id = record.has_id;
    flag.id = record.id;
    flag.name_space = record.name_space;
    flag.reason = record.reason;
    flag.detail = record.detail;
    flag.source = record.source;
    if (record.kind == RecordKind::kRejected) flag.status = Status::kRejected;
    return flag;
  }

  // A line each; with ?only= fewer.
  void require_flags(std::string_view text) const {
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    const bool all = feed_.reader().head().query.find("only") == std::string::npos;
    require(all ? lines == records_ : lines <= records_);
  }

  static std::string text_of(const HttpAnswer& answer) {
    std::string text = answer.body;
    if (!answer.rest) return text;
    const std::size_t begin = text.size();
    text.resize(begin + answer.rest->size());
    require(answer.rest->read(0, std::span(text).subspan(begin)));
    return text;
  }

  bool say(const HttpAnswer& answer) {
    const bool keep_alive = feed_.reader().head().keep_alive;
    said_ += answer_head(answer, keep_alive) + text_of(answer);
    return keep_alive;
  }

  RequestFeed feed_;
  SpoolBudget budget_{{1 << 20, 1 << 30, "/tmp"}};
  DocumentsPort port_{kMaxRecord, kRule, budget_, {}};
  HttpRouter router_{{documents_route(port_), check_route(port_)}, guard()};
  HttpSource source_{port_.queue(), port_.requests()};
  HttpDelivery delivery_{FlagWriter(kRule, 800'000, body_sources()), port_.requests()};
  BodyRecordDecoder decoder_{{.max_record_bytes = kMaxRecord}, {}, {}};
  RawChunk chunk_;
  std::uint64_t records_ = 0;  // of this request
  Seq seq_ = 0;
  std::string said_;
};

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = neardup::Connection(bytes, size + 1).run();
  neardup::require(whole == neardup::Connection(bytes, 1).run());
  return 0;
}
