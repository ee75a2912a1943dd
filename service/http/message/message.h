// HTTP/1.1 messages as bytes, without sockets: the server reads requests and writes answers, the
// client the reverse. Only message.cc includes Boost.Beast.
//
// A reader is fed piece by piece: put bytes into space(), pass their number to received(), then
// call read… for the progress of the message. A reader never holds more than its limits allow.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

// Media types.
inline constexpr const char* kJsonType = "application/json";
inline constexpr const char* kJsonLinesType = "application/x-ndjson";
inline constexpr const char* kYamlType = "application/yaml";
inline constexpr const char* kEventsType = "text/event-stream";

// A long body of an answer, read while the client takes it.
class HttpBody {
 public:
  virtual ~HttpBody() = default;
  virtual std::uint64_t size() const = 0;
  // Reads the bytes from `at` on into all of `bytes`. False: they cannot be read. Requires: there
  // are as many.
  virtual bool read(std::uint64_t at, std::span<char> bytes) const = 0;
};

// A streaming response (server-sent events). The port's thread makes the calls, which must not
// wait, and destroys the feed when the connection closes.
class HttpFeed {
 public:
  using More = std::function<void()>;

  virtual ~HttpFeed() = default;

  // The next bytes, some 64 KiB of them at most. "": there are none yet; any thread calls `more`
  // once there are. `more` replaces that of the last call, and is not called after the destruction.
  virtual std::string next(const More& more) = 0;

  // What is sent after `idle_time` without bytes: otherwise nobody would notice that a client has
  // gone.
  virtual std::string idle() const = 0;
  virtual std::chrono::milliseconds idle_time() const = 0;
};

// Names and values. Requires: neither have line ends.
using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string type = "text/plain; charset=utf-8";
  HttpFields fields = {};                     // more fields of the head
  std::shared_ptr<const HttpBody> rest = {};  // follows `body`; null: nothing does
  // Follows `body` until the connection closes; null: nothing does. Requires: one of the two is
  // null.
  std::shared_ptr<HttpFeed> feed = {};
};

// The head of a request. Other fields, such as Range, are ignored.
struct RequestHead {
  std::string method;         // as sent
  std::string path;           // the target without its query
  std::string query;          // what follows the "?"; "" if nothing does
  std::string type;           // of the content; "" if it is not given
  std::string encoding;       // of the content; "" if there is none
  std::string authorization;  // "" if there is none
  std::string host;           // of the target, or of Host; "" if there is none (HTTP/1.0)
  std::string accept_coding;  // codings of content that the client accepts; "" if it names none
  std::string if_none_match;  // tags of what the client has; "" if there are none
  std::string rule;           // of Neardup-Rule; "" if there is none
  std::string accept;         // media types that the client accepts; "" if it names none
  std::string last_event;     // of Last-Event-ID; "" if there is none
  std::string origin;         // of the web page that asks; "" if there is none
  std::string fetch_site;     // of Sec-Fetch-Site; "" if there is none
  std::string asked_method;   // of Access-Control-Request-Method (guard.h); "" if there is none
  bool has_body = false;
  bool expects_continue = false;  // the client waits for "100 Continue" before it sends the body
  bool keep_alive = false;        // the client wants the connection for another request
};

enum class Progress : std::uint8_t {
  kMore,     // valid so far, but incomplete
  kDone,     // complete
  kRefused,  // malformed, or above a limit; nothing of it may be used
};

class RequestReader {
 public:
  // Limits in bytes. Requires: max_head is at least 128.
  RequestReader(std::size_t max_head, std::uint64_t max_body);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // Where the next bytes go; never empty after kMore. Valid until the next call.
  std::span<char> space();
  void received(std::size_t bytes);
  // Are there received bytes that were not consumed yet?
  bool has_bytes() const;

  // Refuses a head that does not say clearly where its body ends: more than one length, a length
  // with a transfer coding, any coding but "chunked"; fields that continue in the next line; one of
  // HTTP/1.1 without a Host, and any with two, or with one that is no host (RFC 9112, section 3.2).
  Progress read_head();
  const RequestHead& head() const;  // after kDone

  // Lifts max_body for this request. Requires: the head is done, and read_body was not called.
  void allow_any_body();
  // Requires: the head is done.
  Progress read_body();
  // What has arrived of the body since the last call; after kDone, the rest of it.
  std::string take_body();

  // After kRefused: the status, and why in a line.
  const HttpAnswer& refusal() const;

  // Discards the request. If it was read to its end, the bytes after it are the next request.
  void next_request();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The usual words for a status.
std::string_view status_phrase(int status);

// The status line and the fields of an answer.
std::string answer_head(const HttpAnswer& answer, bool keep_alive);

inline constexpr std::string_view kHttpContinue = "HTTP/1.1 100 Continue\r\n\r\n";

struct HttpReply {
  int status = 0;
  std::string body;
};

class ReplyReader {
 public:
  // Limits in bytes.
  ReplyReader(std::size_t max_head, std::uint64_t max_body);
  ~ReplyReader();
  ReplyReader(const ReplyReader&) = delete;
  ReplyReader& operator=(const ReplyReader&) = delete;

  std::span<char> space();
  void received(std::size_t bytes);
  Progress read();
  // The server has closed the connection: kDone where that ends the reply, else kRefused.
  Progress read_end();
  HttpReply take();  // after kDone

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A GET, or a POST of JSON with `Authorization: Bearer token`. The server closes after its answer.
std::string get_request(std::string_view host, std::string_view target);
std::string post_request(std::string_view host, std::string_view target, std::string_view token,
                         std::string_view body);

}  // namespace neardup
