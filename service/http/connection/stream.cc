#include "service/http/connection/stream.h"

#include <openssl/ssl.h>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace neardup {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;

struct HttpStream::Tls {
  Tls(tcp::socket& socket, ssl::context& context) : stream(socket, context) {}

  ssl::stream<tcp::socket&> stream;
};

HttpStream::HttpStream(tcp::socket socket) : socket_(std::move(socket)) {}
HttpStream::~HttpStream() = default;

void HttpStream::accept_tls(ssl::context& context, Done done) {
  tls_ = std::make_unique<Tls>(socket_, context);
  encrypted_ = true;
  tls_->stream.async_handshake(ssl::stream_base::server, std::move(done));
}

void HttpStream::connect_tls(ssl::context& context, const std::string& host, Done done) {
  tls_ = std::make_unique<Tls>(socket_, context);
  encrypted_ = true;
  SSL_set_tlsext_host_name(tls_->stream.native_handle(), host.c_str());
  tls_->stream.set_verify_callback(ssl::host_name_verification(host));
  tls_->stream.async_handshake(ssl::stream_base::client, std::move(done));
}

bool HttpStream::handshake_begun() const {
  return BIO_number_read(SSL_get_rbio(tls_->stream.native_handle())) > 0;
}

bool HttpStream::speaks_plain_http(const Error& error) {
  const bool plain = error.category() == asio::error::get_ssl_category() &&
                     ERR_GET_REASON(error.value()) == SSL_R_HTTP_REQUEST;
  if (plain) encrypted_ = false;
  return plain;
}

void HttpStream::read_some(asio::mutable_buffer to, Moved done) {
  if (encrypted_) return tls_->stream.async_read_some(to, std::move(done));
  socket_.async_read_some(to, std::move(done));
}

void HttpStream::write(const Pieces& pieces, Done done) {
  auto written = [done = std::move(done)](const Error& error, std::size_t) { done(error); };
  if (encrypted_) return asio::async_write(tls_->stream, pieces, std::move(written));
  asio::async_write(socket_, pieces, std::move(written));
}

void HttpStream::end_sending(Done done) {
  const auto end = [this, done = std::move(done)](const Error&) {
    encrypted_ = false;
    Error error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    done(error);
  };
  if (!encrypted_) return asio::post(socket_.get_executor(), [end] { end({}); });
  tls_->stream.async_shutdown(end);
}

void HttpStream::cancel() {
  Error ignored;
  socket_.cancel(ignored);
}

void HttpStream::close() {
  Error ignored;
  socket_.close(ignored);
}

}  // namespace neardup
