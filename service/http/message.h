// HTTP/1.1 messages as bytes, without sockets: requests and answers of the port, and the other way
// round for the client. By Boost.Beast, which message.cc alone includes.
//
// A reader is fed piece by piece: bytes are put into space(), received() tells how many, then the
// read… call says how far the message is. It never holds more than its limits, whatever comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neardup {

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string type = "text/plain; charset=utf-8";
};

// What a request says before its body. Other fields of the head, Range among them, are ignored.
struct RequestHead {
  std::string method;         // as sent
  std::string path;           // of the target: what stands before the query
  std::string authorization;  // "" where there is none
  bool has_body = false;
  bool expects_continue = false;  // the client waits for "100 Continue" before it sends the body
  bool keep_alive = false;        // the client wants the connection for another request
};

enum class Progress : std::uint8_t {
  kMore,     // what is read so far is right, and not all
  kDone,     // all is there
  kRefused,  // it is no message, or exceeds a limit; nothing of it may be used
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
  // Are there bytes that belong to no request yet?
  bool has_bytes() const;

  // Refuses a head that is not clear about where its body ends: more than one length, a length
  // beside a transfer coding, any coding but "chunked".
  Progress read_head();
  const RequestHead& head() const;  // after kDone

  // Requires: the head is done.
  Progress read_body();
  std::string take_body();  // after kDone

  // After kRefused: the status, and why in a line.
  const HttpAnswer& refusal() const;

  // Forgets the request; the bytes behind it are the next one's, if it was read to its end.
  void next_request();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What stands before the body of an answer.
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

// A GET, or a POST of JSON with `Authorization: Bearer token`, after which the server closes.
std::string get_request(std::string_view host, std::string_view target);
std::string post_request(std::string_view host, std::string_view target, std::string_view token,
                         std::string_view body);

}  // namespace neardup
