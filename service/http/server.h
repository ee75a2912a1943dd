// The HTTP port, by Boost.Asio: one thread reads, writes and answers probes; slow handlers run in
// other threads. So a probe is answered regardless of other clients and slow handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "service/http/connection/tls.h"
#include "service/http/guard.h"
#include "service/http/route.h"

namespace neardup {

struct HttpConnectionCounts {
  std::size_t open = 0;
  // Closed since the start because of a limit:
  std::uint64_t for_connections = 0;            // to make room for another one
  std::uint64_t for_connections_of_client = 0;  // for another one of the same client
  std::uint64_t for_size = 0;                   // a head or body was too large
  std::uint64_t for_time = 0;                   // the client sent or read too slowly
  std::uint64_t bodies_refused = 0;             // others take all the memory for them

  HttpConnectionCounts& operator+=(const HttpConnectionCounts& other) {
    open += other.open;
    for_connections += other.for_connections;
    for_connections_of_client += other.for_connections_of_client;
    for_size += other.for_size;
    for_time += other.for_time;
    bodies_refused += other.bodies_refused;
    return *this;
  }
};

// Serves from construction to destruction. The destructor waits for running handlers, and then for
// at most a second until clients have taken the answers.
class HttpServer {
 public:
  // `tls`: null for none. Throws Failure(kConfig) when options.listen, the value of `key`, cannot
  // be listened on.
  HttpServer(const HttpOptions& options, const HttpRoutes& routes, const HttpGuard& guard = {},
             std::unique_ptr<HttpTls> tls = nullptr, std::string_view key = "http.listen");
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // HOST:PORT in use.
  const std::string& address() const { return address_; }
  // http://HOST:PORT, or https, for processes on this machine.
  std::string local_url() const;
  // Any thread.
  HttpConnectionCounts connections() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string address_;
};

}  // namespace neardup
