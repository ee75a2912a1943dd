// A client of a TCP port on loopback that sends exactly the bytes it is told to.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace neardup {

class RawClient {
 public:
  // `address`: 127.0.0.1:PORT
  explicit RawClient(const std::string& address) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at = {};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port =
        htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    // A server that fails to answer ends the test, not the patience of the machine.
    const timeval patience{60, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // False when the server has closed the connection.
  bool send(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  // Everything until the server closes. Fails when it never does.
  std::string receive() {
    std::string all;
    char bytes[4096];
    ssize_t count = 0;
    while ((count = recv(socket_, bytes, sizeof bytes, 0)) > 0)
      all.append(bytes, static_cast<std::size_t>(count));
    EXPECT_TRUE(count == 0 || errno == ECONNRESET) << "the server keeps the connection open";
    return all;
  }

 private:
  int socket_;
};

}  // namespace neardup
