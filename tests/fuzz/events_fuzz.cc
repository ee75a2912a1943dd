// `Last-Event-ID` and the parameters of live flags, as a client sends them: everything up to the
// first line end is the target of the request, the rest the value of the header. The answer is
// refused, or tells flags in the order of seq, none twice, none that the client has seen.
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/api/routes.h"
#include "service/http/router.h"
#include "tests/fuzz/request_feed.h"

namespace neardup {
namespace {

constexpr std::size_t kMaxHead = 8192;
constexpr Seq kOldest = 10;
constexpr Seq kNewest = 40;

RecentFlags& flags() {
  static RecentFlags flags(std::uint64_t{1} << 20);
  static const bool filled = [] {
    for (Seq seq = kOldest; seq <= kNewest; ++seq) {
      FlagBlockWriter block;
      Flag flag;
      flag.seq = seq;
      flag.status = seq % 3 == 0 ? Status::kNearDuplicate : Status::kUnique;
      block.add(flag, "{\"seq\":" + std::to_string(seq) + "}\n");
      flags.publish(block.take());
    }
    return true;
  }();
  require(filled);
  return flags;
}

HttpRouter& router() {
  static HttpRouter router({flags_route(flags())}, HttpGuard());
  return router;
}

Seq number_of(std::string_view text) {
  Seq number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  require(error == std::errc{} && end == text.data() + text.size());
  return number;
}

// Checks events; the id of the last one, or `after`.
Seq expect_events(std::string_view events, Seq after) {
  while (!events.empty()) {
    const std::size_t end = events.find("\n\n");
    require(end != events.npos);
    const std::string_view event = events.substr(0, end);
    events.remove_prefix(end + 2);
    if (event.starts_with("event: missed\ndata: {")) continue;
    require(event.starts_with("id: "));
    const Seq seq = number_of(event.substr(4, event.find('\n') - 4));
    require(seq > after && seq <= kNewest);
    after = seq;
  }
  return after;
}

void follow(const RequestHead& head) {
  HttpTurn turn = router().turn(head);
  if (turn.refusal) return require(turn.refusal->status >= 400);
  const HttpAnswer answer = turn.answer("");
  if (!answer.feed) return require(answer.status == 200 || answer.status == 400);
  require(answer.status == 200);
  Seq seen = 0;
  const std::string& told = head.last_event;
  const auto [end, error] = std::from_chars(told.data(), told.data() + told.size(), seen);
  const bool known = error == std::errc{} && end == told.data() + told.size() && !told.empty();
  const auto more = [] {};
  const Seq last = expect_events(answer.feed->next(more), known ? std::min(seen, kNewest) : 0);
  require(!known || last == kNewest);
  require(answer.feed->next(more).empty());
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(bytes.find('\n'), size);
  std::string request = "GET /v1/flags" + std::string(bytes.substr(0, line)) +
                        " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n";
  if (line < size) request += "Last-Event-ID: " + std::string(bytes.substr(line + 1)) + "\r\n";
  request += "\r\n";
  neardup::RequestFeed feed(request, request.size(), neardup::kMaxHead, 0);
  if (feed.read([&] { return feed.reader().read_head(); })) neardup::follow(feed.reader().head());
  return 0;
}
