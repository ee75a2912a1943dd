#include "service/http/client.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <string_view>

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
  std::string authority;  // HOST:PORT
  std::string host;
  std::string port = "80";
  std::string target = "/";
};

// Nothing unless `text` is http://HOST[:PORT][/…].
std::optional<Url> parse(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  if (!text.starts_with(kScheme)) return {};
  text.remove_prefix(kScheme.size());
  Url url;
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
    asio::async_connect(socket_, found,
                        [this](const Error& failed, const tcp::endpoint&) { error_ = failed; });
    return run_until(std::min(deadline_, Clock::now() + kConnect)) && !error_;
  }

  std::optional<HttpReply> ask(const std::string& request) {
    asio::async_write(socket_, asio::buffer(request),
                      [this](const Error& failed, std::size_t) { error_ = failed; });
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
  // False: the time is over.
  bool receive() {
    const auto space = reply_.space();
    socket_.async_read_some(asio::buffer(space.data(), space.size()),
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
    Error ignored;
    socket_.close(ignored);
    context_.run();  // calls the cancelled handlers while this still exists
    return false;
  }

  const Clock::time_point deadline_;
  asio::io_context context_;
  tcp::socket socket_{context_};
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
