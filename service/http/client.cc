#include "service/http/client.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/error.hpp>
#include <string_view>

#include "pipeline/base/failure.h"
#include "service/http/connection/stream.h"
#include "service/http/connection/tls.h"

namespace neardup {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Error = boost::system::error_code;

constexpr std::chrono::seconds kConnect{3};
constexpr std::size_t kMaxHead = std::size_t{64} << 10;
constexpr std::uint64_t kMaxBody = std::uint64_t{256} << 20;

struct Url {
  bool tls = false;
  std::string authority;  // HOST:PORT
  std::string host;
  std::string port = "80";
  std::string target = "/";
};

// Nothing unless `text` is http://HOST[:PORT][/…], or https.
std::optional<Url> parse(std::string_view text) {
  constexpr std::string_view kPlain = "http://";
  constexpr std::string_view kTls = "https://";
  Url url;
  url.tls = text.starts_with(kTls);
  if (!url.tls && !text.starts_with(kPlain)) return {};
  text.remove_prefix(url.tls ? kTls.size() : kPlain.size());
  if (url.tls) url.port = "443";
  const std::size_t path = text.find('/');
  if (path != text.npos) url.target = text.substr(path);
  url.authority = url.host = text.substr(0, path);
  const std::size_t colon = url.host.rfind(':');
  if (colon != url.host.npos && url.host.find(']', colon) == url.host.npos) {
    url.port = url.host.substr(colon + 1);
    url.host.resize(colon);
  }
  if (url.host.starts_with('[') && url.host.ends_with(']'))
    url.host = url.host.substr(1, url.host.size() - 2);
  if (url.host.empty()) return {};
  return url;
}

class Client {
 public:
  explicit Client(std::chrono::seconds timeout) : deadline_(Clock::now() + timeout) {}

  bool connect(const Url& url) {
    Error error;
    const auto found = tcp::resolver(context_).resolve(url.host, url.port, error);
    if (error) return false;
    const auto patience = std::min(deadline_, Clock::now() + kConnect);
    asio::async_connect(stream_.socket(), found,
                        [this](const Error& failed, const tcp::endpoint&) { error_ = failed; });
    if (!run_until(patience) || error_) return false;
    stream_.socket().set_option(tcp::no_delay(true), error);
    return !url.tls || shake_hands(url, patience);
  }

  std::optional<HttpReply> ask(const std::string& request) {
    stream_.write({asio::buffer(request)}, [this](const Error& failed) { error_ = failed; });
    // A server that refuses a request may answer before it has read all of it.
    if (!run_until(deadline_)) return {};
    Progress progress = Progress::kMore;
    while (progress == Progress::kMore) {
      if (!receive()) return {};
      progress = error_ ? reply_.read_end() : reply_.read();
    }
    if (progress == Progress::kRefused) return {};
    return reply_.take();
  }

 private:
  bool shake_hands(const Url& url, Clock::time_point deadline) {
    asio::ssl::context tls = tls_of_client();
    stream_.connect_tls(tls, url.host, [this](const Error& failed) { error_ = failed; });
    if (!run_until(deadline)) return false;
    if (error_.category() == asio::error::get_ssl_category()) {
      throw Failure(
          Exit::kConfig,
          fmt::format("https://{}: {}; a file of authorities that are trusted can be named "
                      "in the environment variable SSL_CERT_FILE",
                      url.authority, error_.message()));
    }
    return !error_;
  }

  // False: the time is over.
  bool receive() {
    const auto space = reply_.space();
    stream_.read_some(asio::buffer(space.data(), space.size()),
                      [this](const Error& failed, std::size_t bytes) {
                        error_ = failed;
                        reply_.received(bytes);
                      });
    return run_until(deadline_);
  }

  bool run_until(Clock::time_point deadline) {
    context_.restart();
    context_.run_until(deadline);
    if (context_.stopped()) return true;
    stream_.close();
    context_.run();  // calls the cancelled handlers while this still exists
    return false;
  }

  const Clock::time_point deadline_;
  asio::io_context context_;
  HttpStream stream_{tcp::socket(context_)};
  ReplyReader reply_{kMaxHead, kMaxBody};
  Error error_;
};

}  // namespace

std::optional<HttpReply> http_post(const std::string& url, const std::string& path,
                                   const std::string& token, const std::string& body,
                                   std::chrono::seconds timeout) {
  const auto to = parse(url);
  Client client(timeout);
  if (!to || !client.connect(*to)) return {};
  return client.ask(post_request(to->authority, path, token, body));
}

std::optional<HttpReply> http_get(const std::string& url, std::chrono::seconds timeout) {
  const auto to = parse(url);
  Client client(timeout);
  if (!to || !client.connect(*to)) return {};
  return client.ask(get_request(to->authority, to->target));
}

}  // namespace neardup
