// A client of a TCP port on loopback that sends exactly the bytes it is told to.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

namespace neardup {

class RawClient {
 public:
  // `address`: 127.0.0.1:PORT. `receive_buffer`: bytes that the kernel keeps unread; 0: as many as
  // it likes.
  explicit RawClient(const std::string& address, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0)
      setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in at = {};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port =
        htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    // A server that fails to answer fails its test, which does not wait for the limit of ctest.
    const timeval timeout{60, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  }
  ~RawClient() {
    if (socket_ >= 0) ::close(socket_);
  }
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // False when the server has closed the connection.
  bool send(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  int socket() const { return socket_; }
  // Nothing more will be sent.
  void finish() { ::shutdown(socket_, SHUT_WR); }

  // Everything until the server closes. Fails when it never does.
  std::string receive() {
    std::string all;
    ssize_t count = 0;
    while ((count = receive_some(all)) > 0) {
    }
    EXPECT_TRUE(count == 0 || errno == ECONNRESET) << "the server keeps the connection open";
    return all;
  }
  // Everything up to and with `end`, or until the server closes.
  std::string receive_until(std::string_view end) {
    std::string all;
    char byte = 0;
    while (!all.ends_with(end) && recv(socket_, &byte, 1, 0) == 1) all += byte;
    return all;
  }

 private:
  ssize_t receive_some(std::string& all) {
    char bytes[4096];
    const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
    if (count > 0) all.append(bytes, static_cast<std::size_t>(count));
    return count;
  }

  int socket_;
};

}  // namespace neardup
