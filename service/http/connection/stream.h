// The bytes of one connection: as they are, or in TLS.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}  // namespace boost::asio::ssl

namespace neardup {

// One operation at a time, but that `cancel` ends it. A handler is called later by the thread of
// the socket's executor, and keeps the stream alive.
class HttpStream {
 public:
  using Error = boost::system::error_code;
  using Done = std::function<void(const Error& error)>;
  using Moved = std::function<void(const Error& error, std::size_t bytes)>;
  using Pieces = std::array<boost::asio::const_buffer, 2>;  // one after the other

  explicit HttpStream(boost::asio::ip::tcp::socket socket);
  ~HttpStream();
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  boost::asio::ip::tcp::socket& socket() { return socket_; }

  // Begins TLS for the client that has connected.
  void accept_tls(boost::asio::ssl::context& context, Done done);
  // Begins TLS as the client that has connected: the service's certificate has to be for `host`.
  void connect_tls(boost::asio::ssl::context& context, const std::string& host, Done done);
  // Has anything of the handshake been received?
  bool handshake_begun() const;
  // Whether `error` of a handshake means that the client does not know of TLS and speaks HTTP. Then
  // everything from here on is sent without TLS.
  bool speaks_plain_http(const Error& error);

  // At least one byte, unless there is an error.
  void read_some(boost::asio::mutable_buffer to, Moved done);
  // All bytes. Requires: they stay until `done`.
  void write(const Pieces& pieces, Done done);
  // Nothing more will be sent. In TLS `done` may wait for what the client sends next. Afterwards
  // the bytes that are read are to be discarded.
  void end_sending(Done done);

  void cancel();
  void close();

 private:
  struct Tls;

  boost::asio::ip::tcp::socket socket_;
  std::unique_ptr<Tls> tls_;  // null: there was no handshake
  bool encrypted_ = false;
};

}  // namespace neardup
