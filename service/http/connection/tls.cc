#include "service/http/connection/tls.h"

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

namespace ssl = boost::asio::ssl;
using Error = boost::system::error_code;

ssl::context new_context(ssl::context::method method) {
  ssl::context context(method);
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  return context;
}

ssl::context without_certificate() {
  ssl::context context = new_context(ssl::context::tls_server);
  SSL_CTX* handle = context.native_handle();
  SSL_CTX_set_options(handle, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(handle, 0);
  SSL_CTX_set_session_cache_mode(handle, SSL_SESS_CACHE_OFF);
  // Without it OpenSSL asks for the passphrase of a key on the terminal.
  context.set_password_callback([](std::size_t, ssl::context::password_purpose) { return ""; });
  return context;
}

// Reads the files of one configuration into a context, and collects their problems.
class Reading {
 public:
  Reading(const HttpTlsOptions& files, ssl::context& context) : files_(files), context_(context) {}

  std::string problems() {
    const bool certificate = read("http.tls.cert_file", files_.cert_file, [&](Error& error) {
      context_.use_certificate_chain_file(files_.cert_file, error);
    });
    const bool key = read("http.tls.key_file", files_.key_file, [&](Error& error) {
      context_.use_private_key_file(files_.key_file, ssl::context::pem, error);
    });
    if (certificate && key && SSL_CTX_check_private_key(context_.native_handle()) != 1)
      report("http.tls.key_file", files_.key_file, "holds no key of the certificate");
    if (!files_.client_ca_file.empty()) client_certificates();
    return fmt::format("{}", fmt::join(problems_, "; "));
  }

 private:
  void client_certificates() {
    const bool known = read("http.tls.client_ca_file", files_.client_ca_file, [&](Error& error) {
      context_.load_verify_file(files_.client_ca_file, error);
    });
    if (!known) return;
    context_.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
    // By their names a client with several certificates chooses one.
    SSL_CTX_set_client_CA_list(context_.native_handle(),
                               SSL_load_client_CA_file(files_.client_ca_file.c_str()));
  }

  template <class Read>
  bool read(std::string_view key, const std::string& path, const Read& read) {
    if (!std::ifstream(path)) {  // OpenSSL does not say why
      report(key, path, fmt::format("cannot be read: {}", std::strerror(errno)));
      return false;
    }
    Error error;
    read(error);
    if (error) report(key, path, fmt::format("cannot be used: {}", error.message()));
    return !error;
  }

  void report(std::string_view key, const std::string& path, std::string_view problem) {
    problems_.push_back(fmt::format("the file of `{}` ({}) {}", key, path, problem));
  }

  const HttpTlsOptions& files_;
  ssl::context& context_;
  std::vector<std::string> problems_;
};

}  // namespace

HttpTls::HttpTls(HttpTlsOptions files, Told told)
    : files_(std::move(files)),
      told_(std::move(told)),
      watch_({files_.cert_file, files_.key_file, files_.client_ca_file}),
      context_(without_certificate()) {
  watch_.changed();  // before the files are read: what changes from now on is seen
  const std::string problems = Reading(files_, context_).problems();
  if (!problems.empty()) throw Failure(Exit::kConfig, problems);
}

ssl::context& HttpTls::context() {
  if (!watch_.changed()) return context_;
  ssl::context changed = without_certificate();
  const std::string problems = Reading(files_, changed).problems();
  if (problems.empty()) {
    context_ = std::move(changed);
  } else {
    told_(problems);
  }
  return context_;
}

ssl::context tls_of_client() {
  ssl::context context = new_context(ssl::context::tls_client);
  Error ignored;  // without them no service is trusted
  context.set_default_verify_paths(ignored);
  context.set_verify_mode(ssl::verify_peer);
  return context;
}

}  // namespace neardup
