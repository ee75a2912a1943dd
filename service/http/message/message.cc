#include "service/http/message/message.h"

// Boost 1.74 uses std::exchange and std::optional without their headers.
#include <fmt/core.h>

#include <algorithm>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/optional.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "service/http/message/problem.h"
#include "service/http/message/target.h"

namespace neardup {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::size_t kPieceBytes = 4096;
constexpr std::size_t kUploadBytes = std::size_t{64} << 10;  // of a body of any size, at once
constexpr unsigned kVersion10 = 10;
constexpr int kNoContent = 204;  // has no length either (RFC 9110, section 8.6)
constexpr int kNotModified = 304;

// A body read incrementally; Beast's string_body reserves the Content-Length up front.
struct PieceBody {
  using value_type = std::string;
  static std::uint64_t size(const value_type& body) { return body.size(); }

  class reader {
   public:
    template <bool kRequest, class Fields>
    explicit reader(http::header<kRequest, Fields>& head, value_type& body) : body_(body) {
      (void)head;
    }
    static void init(const boost::optional<std::uint64_t>&, beast::error_code& error) {
      error = {};
    }
    std::size_t put(const boost::asio::const_buffer& bytes, beast::error_code& error) {
      error = {};
      body_.append(static_cast<const char*>(bytes.data()), bytes.size());
      return bytes.size();
    }
    static void finish(beast::error_code& error) { error = {}; }

   private:
    value_type& body_;
  };
};

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// A parser, and the received bytes that it has not consumed. It gets a head only as a whole: Beast
// 1.74 does not count the consumed lines of an incomplete head against the limit, so a head that
// arrives line by line could take unbounded memory.
template <bool kRequest>
class Incoming {
 public:
  using Parser = http::parser<kRequest, PieceBody>;

  Incoming(std::size_t max_head, std::uint64_t max_body)
      : max_head_(max_head), default_max_body_(max_body), bytes_(std::max(max_head, kUploadBytes)) {
    start();
  }

  void start() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(max_head_));
    parser_->body_limit(kAnyLength);  // that of a request is checked when its body is read
    max_body_ = default_max_body_;
    searched_ = 0;
  }

  std::span<char> space() {
    const bool upload = parser_->eager() && max_body_ == kAnyLength;
    const std::size_t most = upload ? kUploadBytes : max_head_;
    const auto piece = bytes_.prepare(std::min(upload ? most : kPieceBytes, most - bytes_.size()));
    return {static_cast<char*>(piece.data()), piece.size()};
  }
  void received(std::size_t count) { bytes_.commit(count); }
  bool has_bytes() const { return bytes_.size() > 0; }

  Progress read_head() {
    const Progress found = find_end_of_head();
    if (found != Progress::kDone) return found;
    parser_->eager(false);
    bytes_.consume(parser_->put({bytes_.data().data(), searched_}, error_));
    return error_ ? Progress::kRefused : Progress::kDone;
  }

  void allow_any_body() { max_body_ = kAnyLength; }

  // Requires: the head is done.
  Progress read_body() {
    if (!parser_->eager()) {
      if (parser_->content_length().value_or(0) > max_body_) return refuse(http::error::body_limit);
      parser_->body_limit(max_body_);
    }
    parser_->eager(true);
    const std::size_t least = parser_->chunked() ? kLastChunk.size() : 1;
    while (!parser_->is_done()) {
      if (bytes_.size() < least) return Progress::kMore;
      bytes_.consume(parser_->put(bytes_.data(), error_));
      if (error_ == http::error::need_more) {
        if (bytes_.size() < max_head_) return Progress::kMore;
        error_ = http::error::bad_chunk;  // a line between chunks that does not end
      }
      if (error_) return Progress::kRefused;
    }
    return Progress::kDone;
  }

  // To be called when the peer has closed the connection.
  Progress read_end() {
    if (!parser_->is_header_done()) return Progress::kRefused;
    parser_->put_eof(error_);
    return error_ ? Progress::kRefused : Progress::kDone;
  }

  Parser& parser() { return *parser_; }
  // After kRefused.
  const beast::error_code& error() const { return error_; }

 private:
  static constexpr std::uint64_t kAnyLength = std::numeric_limits<std::uint64_t>::max();
  // Every chunked body ends with this. Beast 1.74 asserts that it gets at least that many bytes.
  static constexpr std::string_view kLastChunk = "0\r\n\r\n";

  // kDone: the head is the first searched_ bytes.
  Progress find_end_of_head() {
    const std::string_view bytes(static_cast<const char*>(bytes_.data().data()), bytes_.size());
    while (searched_ < bytes.size()) {
      const std::string_view head = bytes.substr(0, ++searched_);
      // A line that continues in the next one is read in different ways (RFC 9112, section 5.2).
      if (head.ends_with("\n ") || head.ends_with("\n\t")) return refuse(http::error::bad_field);
      if (!head.ends_with('\n')) continue;
      if (head.ends_with("\r\n\r\n")) return Progress::kDone;
      if (!head.ends_with("\r\n")) return refuse(http::error::bad_line_ending);
    }
    return bytes.size() < max_head_ ? Progress::kMore : refuse(http::error::header_limit);
  }

  Progress refuse(http::error why) {
    error_ = why;
    return Progress::kRefused;
  }

  const std::size_t max_head_;
  const std::uint64_t default_max_body_;
  std::uint64_t max_body_ = 0;  // of this message
  beast::flat_buffer bytes_;
  std::size_t searched_ = 0;  // bytes that were searched for the end of the head
  std::optional<Parser> parser_;
  beast::error_code error_;
};

HttpAnswer refusal_of(const beast::error_code& error) {
  if (error == http::error::header_limit)
    return problem(431, "head_too_large", "the head is larger than http.max_head");
  if (error == http::error::body_limit)
    return problem(413, "body_too_large", "the body is too large for this request");
  return problem(400, "no_http", "malformed HTTP/1.1 request: " + error.message());
}

// Refuses heads that the parser accepts, but with which readers can disagree where the body ends.
std::optional<HttpAnswer> unclear(const http::request_header<>& head) {
  const auto lengths = head.count(http::field::content_length);
  const auto codings = head.count(http::field::transfer_encoding);
  if (lengths > 1 || head[http::field::content_length].find(',') != beast::string_view::npos)
    return problem(400, "unclear_length", "there is more than one Content-Length");
  if (lengths + codings > 1)
    return problem(400, "unclear_length",
                   "Content-Length and Transfer-Encoding exclude each other");
  if (codings == 0) return {};
  if (head.version() == kVersion10)
    return problem(400, "unclear_length", "HTTP/1.0 has no Transfer-Encoding");
  if (!beast::iequals(head[http::field::transfer_encoding], "chunked"))
    return problem(501, "unknown_coding", "the only supported Transfer-Encoding is chunked");
  return {};
}

// Refuses a request of which readers can disagree what host it is for.
std::optional<HttpAnswer> unclear_host(const http::request_header<>& head) {
  const auto hosts = head.count(http::field::host);
  if (hosts > 1) return problem(400, "unclear_host", "there is more than one Host");
  if (hosts == 0 && head.version() != kVersion10)
    return problem(400, "unclear_host", "the Host field is missing, which HTTP/1.1 requires");
  if (!is_authority(view(head[http::field::host])))
    return problem(400, "unclear_host", "the Host is invalid: send HOST or HOST:PORT");
  const auto target = split_target(view(head.target()));
  if (!target || !is_authority(target->authority))
    return problem(400, "no_http", "the target of the request is neither a path nor a URL");
  return {};
}

// Requires: unclear_host refuses nothing.
RequestHead head_of(const http::request_parser<PieceBody>& parser) {
  const auto& message = parser.get();
  const Target target = *split_target(view(message.target()));
  const std::string_view host =
      target.authority.empty() ? view(message[http::field::host]) : target.authority;
  return {.method = std::string(view(message.method_string())),
          .path = std::string(target.path),
          .query = std::string(target.query),
          .type = std::string(view(message[http::field::content_type])),
          .encoding = std::string(view(message[http::field::content_encoding])),
          .authorization = std::string(view(message[http::field::authorization])),
          .host = std::string(host),
          .accept_coding = std::string(view(message[http::field::accept_encoding])),
          .if_none_match = std::string(view(message[http::field::if_none_match])),
          .rule = std::string(view(message["Neardup-Rule"])),
          .accept = std::string(view(message[http::field::accept])),
          .last_event = std::string(view(message["Last-Event-ID"])),
          .origin = std::string(view(message[http::field::origin])),
          .fetch_site = std::string(view(message["Sec-Fetch-Site"])),
          .asked_method = std::string(view(message[http::field::access_control_request_method])),
          .has_body = !parser.is_done(),
          .expects_continue = beast::iequals(message[http::field::expect], "100-continue"),
          .keep_alive = parser.keep_alive()};
}

}  // namespace

struct RequestReader::Impl : Incoming<true> {
  using Incoming::Incoming;
  RequestHead head;
  HttpAnswer refusal;

  Progress refuse(HttpAnswer answer) {
    refusal = std::move(answer);
    return Progress::kRefused;
  }
};

RequestReader::RequestReader(std::size_t max_head, std::uint64_t max_body)
    : impl_(std::make_unique<Impl>(max_head, max_body)) {}
RequestReader::~RequestReader() = default;

std::span<char> RequestReader::space() { return impl_->space(); }
void RequestReader::received(std::size_t bytes) { impl_->received(bytes); }
bool RequestReader::has_bytes() const { return impl_->has_bytes(); }
const RequestHead& RequestReader::head() const { return impl_->head; }
const HttpAnswer& RequestReader::refusal() const { return impl_->refusal; }
void RequestReader::next_request() { impl_->start(); }

Progress RequestReader::read_head() {
  const Progress progress = impl_->read_head();
  if (progress == Progress::kRefused) return impl_->refuse(refusal_of(impl_->error()));
  if (progress == Progress::kMore) return progress;
  const auto& message = impl_->parser().get();
  if (auto answer = unclear(message)) return impl_->refuse(std::move(*answer));
  if (auto answer = unclear_host(message)) return impl_->refuse(std::move(*answer));
  impl_->head = head_of(impl_->parser());
  return progress;
}

Progress RequestReader::read_body() {
  const Progress progress = impl_->read_body();
  if (progress == Progress::kRefused) return impl_->refuse(refusal_of(impl_->error()));
  return progress;
}

std::string RequestReader::take_body() { return std::exchange(impl_->parser().get().body(), {}); }
void RequestReader::allow_any_body() { impl_->allow_any_body(); }

std::string_view status_phrase(int status) {
  return view(http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status))));
}

std::string answer_head(const HttpAnswer& answer, bool keep_alive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", answer.status, status_phrase(answer.status));
  if (answer.status != kNoContent && answer.status != kNotModified) {
    head += fmt::format("Content-Type: {}\r\n", answer.type);
    const std::uint64_t size = answer.body.size() + (answer.rest ? answer.rest->size() : 0);
    if (!answer.feed) head += fmt::format("Content-Length: {}\r\n", size);
  }
  head += fmt::format("Connection: {}\r\n", keep_alive ? "keep-alive" : "close");
  for (const auto& [name, value] : answer.fields) head += fmt::format("{}: {}\r\n", name, value);
  return head + "\r\n";
}

struct ReplyReader::Impl : Incoming<false> {
  using Incoming::Incoming;
};

ReplyReader::ReplyReader(std::size_t max_head, std::uint64_t max_body)
    : impl_(std::make_unique<Impl>(max_head, max_body)) {}
ReplyReader::~ReplyReader() = default;

std::span<char> ReplyReader::space() { return impl_->space(); }
void ReplyReader::received(std::size_t bytes) { impl_->received(bytes); }
Progress ReplyReader::read() {
  if (!impl_->parser().is_header_done()) {
    const Progress head = impl_->read_head();
    if (head != Progress::kDone) return head;
  }
  return impl_->read_body();
}
Progress ReplyReader::read_end() { return impl_->read_end(); }

HttpReply ReplyReader::take() {
  auto& message = impl_->parser().get();
  return {static_cast<int>(message.result_int()), std::move(message.body())};
}

std::string get_request(std::string_view host, std::string_view target) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", target, host);
}

std::string post_request(std::string_view host, std::string_view target, std::string_view token,
                         std::string_view body) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      target, host, token, body.size(), body);
}

}  // namespace neardup
