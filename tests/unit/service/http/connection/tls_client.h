// A client in TLS of a port on loopback.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

#include "tests/unit/service/http/raw_client.h"

namespace neardup {

class TlsClient {
 public:
  // What it trusts and shows: paths of PEM files, "" for none.
  struct Files {
    std::string ca;
    std::string cert = {};
    std::string key = {};
  };

  // Shakes hands by TLS of this version.
  TlsClient(const std::string& address, const Files& files, int version = TLS1_3_VERSION)
      : raw_(address), context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free) {
    SSL_CTX_set_security_level(context_.get(), 0);  // a server has to refuse old versions itself
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_load_verify_locations(context_.get(), files.ca.c_str(), nullptr);
    if (!files.cert.empty()) {
      SSL_CTX_use_certificate_chain_file(context_.get(), files.cert.c_str());
      SSL_CTX_use_PrivateKey_file(context_.get(), files.key.c_str(), SSL_FILETYPE_PEM);
    }
    SSL_CTX_set_min_proto_version(context_.get(), version);
    SSL_CTX_set_max_proto_version(context_.get(), version);
    tls_ = {SSL_new(context_.get()), SSL_free};
    SSL_set_fd(tls_.get(), raw_.socket());
    connected_ = SSL_connect(tls_.get()) == 1;
  }

  bool connected() const { return connected_; }
  // The name in the server's certificate.
  std::string server() const {
    X509* cert = SSL_get1_peer_certificate(tls_.get());
    if (cert == nullptr) return {};
    char name[64] = {};
    X509_NAME_get_text_by_NID(X509_get_subject_name(cert), NID_commonName, name, sizeof name);
    X509_free(cert);
    return name;
  }

  // False when the server has closed the connection.
  bool send(std::string_view bytes) {
    return SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
  }
  // Everything until the server ends TLS or closes the connection.
  std::string receive() {
    std::string all;
    while (receive_some(all)) {
    }
    return all;
  }
  // Everything up to and with `end`, or until the server ends.
  std::string receive_until(std::string_view end) {
    std::string all;
    while (!all.ends_with(end) && receive_some(all)) {
    }
    return all;
  }
  // Did the server say that it sends nothing more?
  bool ended_well() const { return (SSL_get_shutdown(tls_.get()) & SSL_RECEIVED_SHUTDOWN) != 0; }

 private:
  bool receive_some(std::string& all) {
    char bytes[16384];
    const int count = SSL_read(tls_.get(), bytes, sizeof bytes);
    if (count > 0) all.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  RawClient raw_;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> tls_{nullptr, SSL_free};
  bool connected_ = false;
};

}  // namespace neardup
