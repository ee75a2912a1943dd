// The HTTP port, by cpp-httplib: a few threads, one request a connection, short patience.
#pragma once

#include <memory>
#include <string>

#include "service/http/handlers.h"
#include "service/options.h"

namespace neardup {

// Serves from construction to destruction.
class HttpServer {
 public:
  // Throws Failure(kConfig) when options.listen cannot be listened on.
  HttpServer(const HttpOptions& options, const HttpHandlers& handlers,
             const HttpControl& control = {});
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // HOST:PORT in use.
  const std::string& address() const { return address_; }
  // http://HOST:PORT for processes on this machine.
  std::string local_url() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string address_;
};

}  // namespace neardup
