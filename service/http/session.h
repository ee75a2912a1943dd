// One connection of the port: reads requests and writes answers, one after the other. Every wait
// for the client has a deadline.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "config/service_options.h"
#include "service/http/connection/connections.h"
#include "service/http/connection/stream.h"
#include "service/http/message/message.h"
#include "service/http/router.h"
#include "service/http/workers.h"

namespace neardup {

// Written by the port's thread, read by any.
struct HttpCounts {
  std::atomic<std::size_t> open{0};
  // Closed because a limit was reached:
  std::atomic<std::uint64_t> connections{0};
  std::atomic<std::uint64_t> connections_of_client{0};
  std::atomic<std::uint64_t> size{0};    // of a head or body
  std::atomic<std::uint64_t> time{0};    // for a head, a body or the taking of an answer
  std::atomic<std::uint64_t> bodies{0};  // refused: others take all the memory for bodies
};

// Shared by the sessions of a port. Used by the port's thread.
struct HttpPort {
  const HttpOptions options;
  HttpRouter router;
  Connections connections;
  HttpCounts counts = {};
  std::array<char, std::size_t{16} << 10> discarded = {};  // buffer for ignored bytes
  bool draining = false;
  std::size_t body_bytes = 0;  // of all bodies in memory that are no uploads
  HttpWorkers scrapes;
  HttpWorkers control;
};

class HttpSession : public Connection, public std::enable_shared_from_this<HttpSession> {
 public:
  // `port` outlives it.
  HttpSession(boost::asio::ip::tcp::socket socket, std::string client, HttpPort& port);

  // `tls`: null for none. Requires: the connection is admitted. It leaves when it closes.
  void start(boost::asio::ssl::context* tls);
  void evict() override { close(); }
  void drain() override;

 private:
  using Error = boost::system::error_code;
  enum class Phase : std::uint8_t {
    kHandshake,  // of TLS
    kIdle,       // between two requests
    kHead,       // a head is awaited
    kBody,       // a body is awaited
    kPaused,     // the upload takes no more bytes for now
    kAnswering,  // a handler works
    kWriting,    // the client takes the answer
    kFeeding,    // the feed has nothing to send for now
    kLingering,  // the answer is sent; bytes that still arrive are discarded
    kClosed,
  };

  bool reading() const { return phase_ >= Phase::kIdle && phase_ <= Phase::kBody; }
  void wait_for_client(Phase phase, Time::duration timeout);
  void set_deadline(Time at);
  void too_late();
  bool begun() const;

  void shake_hands(boost::asio::ssl::context& tls);
  void await_head();
  void read();
  void received(const Error& error, std::size_t bytes);
  void read_on();
  void refuse();
  void dispatch();
  void read_body();
  Time body_deadline() const;
  bool hold_body(std::size_t bytes);
  void release_body();
  void watch_client();
  void client_may_have_left();
  bool upload(Progress progress);
  void resume();
  void handle();
  void end_upload();
  void answer(HttpAnswer answer);
  void write_out();
  void write_rest();
  void write_feed();
  void written(const Error& error);
  void next_request();
  void linger();
  void discard(std::size_t left);
  void close();

  HttpStream stream_;
  boost::asio::steady_timer deadline_;
  HttpPort& port_;
  RequestReader reader_;
  HttpTurn turn_;
  Phase phase_ = Phase::kHead;
  Time phase_began_{};
  std::size_t body_bytes_ = 0;  // received so far, with the framing of chunks
  std::size_t held_bytes_ = 0;  // of port_.body_bytes
  bool body_done_ = false;      // the upload has all of it
  bool watching_ = false;       // for the client's leaving
  bool keep_alive_ = false;     // after the answer
  bool head_only_ = false;      // the answer to HEAD
  std::string out_head_;
  std::string out_body_;
  std::shared_ptr<const HttpBody> out_rest_;  // what follows out_body_; null: nothing
  std::uint64_t rest_written_ = 0;            // bytes of out_rest_
  std::shared_ptr<HttpFeed> out_feed_;        // what follows out_body_; null: nothing
  RequestHead feed_head_;                     // of the request that out_feed_ answers
};

}  // namespace neardup
