// The TLS context of connections: certificates, versions and ciphers.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "config/service_options.h"
#include "service/http/connection/file_watch.h"

namespace neardup {

// TLS of a port: 1.2 or later, with the ciphers that OpenSSL takes by default. Each connection
// begins with a full handshake, in which the certificate of a client is checked: nothing is
// resumed. Used by one thread.
class HttpTls {
 public:
  // Called for problems with changed files; the previous certificates stay in use.
  using Told = std::function<void(const std::string& problems)>;

  // Reads the files. Throws Failure(kConfig), which names the keys and files with a problem.
  // Requires: cert_file and key_file are set.
  HttpTls(HttpTlsOptions files, Told told);

  // For a new connection, which may outlive this. The files are read again when they have changed.
  boost::asio::ssl::context& context();

 private:
  const HttpTlsOptions files_;
  const Told told_;
  FileWatch watch_;
  boost::asio::ssl::context context_;
};

// For connections to services, whose certificates have to be from an authority that this machine
// trusts, or of the file in the environment variable SSL_CERT_FILE.
boost::asio::ssl::context tls_of_client();

}  // namespace neardup
