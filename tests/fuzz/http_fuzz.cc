// What anybody may send to the HTTP port. In one piece and byte by byte it must mean the same
// requests; none may be larger than its limits, and nothing is done without the token.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "service/http/health.h"
#include "service/http/message/message.h"
#include "service/http/router.h"
#include "tests/fuzz/request_feed.h"

namespace neardup {
namespace {

constexpr std::size_t kMaxHead = 512;
constexpr std::uint64_t kMaxBody = 64;
constexpr std::string_view kToken = "0123456789abcdef";

HttpRouter& router() {
  static const Health health;
  static HttpRouter router = [] {
    HttpRoutes routes = operation_routes(health, "{}");
    routes.push_back(
        {.methods = {"POST"},
         .path = "/v1/{what}",
         .access = HttpAccess::kWrite,
         .answer =
             [](const HttpRequest& request) {
               return HttpAnswer{200, request.body};
             },
         .parameters = {{.name = "what", .about = {}},
                        {.name = "k", .about = {}, .kind = HttpParameter::Kind::kNumber}},
         .takes = {"text/plain"}});
    HttpGuard guard;
    guard.set_writers({std::string(kToken)});
    guard.restrict_hosts({"localhost"});
    return HttpRouter(std::move(routes), std::move(guard));
  }();
  return router;
}

// A connection as service/http/session.cc leads it, without sockets and time.
class Connection {
 public:
  Connection(std::string_view bytes, std::size_t piece) : feed_(bytes, piece, kMaxHead, kMaxBody) {}

  // What it says, up to what is no request. Why that is none can depend on the pieces.
  std::string run() {
    while (request()) feed_.reader().next_request();
    return said_;
  }

 private:
  // False when it is the last one.
  bool request() {
    if (!feed_.read([this] { return feed_.reader().read_head(); })) return false;
    const RequestHead& head = feed_.reader().head();
    require(head.path.find('?') == head.path.npos && head.path.size() <= kMaxHead);
    HttpTurn turn = router().turn(head);
    if (turn.refusal) {
      require(turn.refusal->status >= 400);
      return say(*turn.refusal) && !head.has_body;
    }
    if (!turn.takes_body) return say(turn.answer("")) && !head.has_body;
    require(head.method == "POST" && head.authorization == "Bearer " + std::string(kToken));
    if (!feed_.read([this] { return feed_.reader().read_body(); })) return false;
    const std::string body = feed_.reader().take_body();
    require(body.size() <= kMaxBody && (head.has_body || body.empty()));
    return say(turn.answer(body));
  }

  bool say(const HttpAnswer& answer) {
    const bool keep_alive = feed_.reader().head().keep_alive;
    said_ += answer_head(answer, keep_alive) + answer.body;
    return keep_alive;
  }

  RequestFeed feed_;
  std::string said_;
};

// The client reads what servers say; ours must understand what our server says.
void try_reply(std::string_view bytes) {
  ReplyReader reader(kMaxHead, kMaxBody);
  Progress progress = Progress::kMore;
  while (progress == Progress::kMore && !bytes.empty()) {
    const auto space = reader.space();
    require(!space.empty());
    const std::size_t count = std::min(space.size(), bytes.size());
    std::memcpy(space.data(), bytes.data(), count);
    reader.received(count);
    bytes.remove_prefix(count);
    progress = reader.read();
  }
  if (progress == Progress::kMore) progress = reader.read_end();
  if (progress == Progress::kDone) require(reader.take().body.size() <= kMaxBody);
}

}  // namespace
}  // namespace neardup

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = neardup::Connection(bytes, size + 1).run();
  neardup::require(whole == neardup::Connection(bytes, 1).run());
  neardup::try_reply(bytes);
  return 0;
}
