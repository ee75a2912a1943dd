#include "service/http/server.h"

#include <fmt/core.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/packaged_task.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <future>
#include <thread>
#include <utility>

#include "pipeline/base/failure.h"
#include "service/http/session.h"
#include "service/http/workers.h"

namespace neardup {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::size_t kScrapeThreads = 1;
constexpr std::size_t kMostScrapes = 16;
constexpr std::size_t kControlThreads = 8;  // as many as requests may wait for the state
constexpr std::size_t kFilesPerConnection = 4;
constexpr std::chrono::milliseconds kAcceptAgain{100};
constexpr std::chrono::seconds kLastAnswers{1};

// The state must not run out of file descriptors, which sockets need too.
std::size_t most_connections(const HttpOptions& options) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return options.max_connections;
  return std::min<std::size_t>(options.max_connections, files.rlim_cur / kFilesPerConnection);
}

// An acceptor at the first address of `listen` that can be bound. config has checked its syntax.
tcp::acceptor listen_at(asio::io_context& context, const std::string& listen,
                        std::string_view key) {
  const std::size_t colon = listen.rfind(':');
  std::string host = listen.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  Error error;
  tcp::resolver resolver(context);
  for (const auto& found :
       resolver.resolve(host, listen.substr(colon + 1), tcp::resolver::passive, error)) {
    tcp::acceptor acceptor(context);
    if (acceptor.open(found.endpoint().protocol(), error)) continue;
    // Not SO_REUSEPORT, with which a second process would share the port unnoticed.
    acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (found.endpoint().address().is_v6()) acceptor.set_option(asio::ip::v6_only(false), error);
    if (acceptor.bind(found.endpoint(), error)) continue;
    if (!acceptor.listen(tcp::acceptor::max_listen_connections, error)) return acceptor;
  }
  throw Failure(Exit::kConfig,
                fmt::format("{}: {} cannot be listened on: is the port in use, and the address one "
                            "of this machine?",
                            key, listen));
}

// The client whose connections are counted together: an IPv4 address, or a /64 network of IPv6.
std::string client_of(const tcp::endpoint& peer) {
  constexpr std::size_t kNetworkBytes = 8;
  if (peer.address().is_v4()) return peer.address().to_string();
  const asio::ip::address_v6 address = peer.address().to_v6();
  const auto bytes = address.to_bytes();
  if (address.is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address).to_string();
  return {bytes.begin(), bytes.begin() + kNetworkBytes};
}

// Threads started while this lives block all signals: the main thread handles them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

struct HttpServer::Impl {
  asio::io_context context{1};
  HttpPort port;
  std::unique_ptr<HttpTls> tls;
  tcp::acceptor acceptor;
  asio::steady_timer timer{context};
  std::promise<void> end;
  std::future<void> ended;
  std::thread thread;

  Impl(const HttpOptions& options, const HttpRoutes& routes, const HttpGuard& guard,
       std::unique_ptr<HttpTls> tls_of_port, std::string_view key)
      : port{.options = options,
             .router = {routes, guard, HttpCors(options.cors_origins)},
             .connections = {most_connections(options), options.max_connections_per_client},
             .scrapes = {kScrapeThreads, kScrapeThreads + kMostScrapes},
             .control = {kControlThreads, kControlThreads}},
        tls(std::move(tls_of_port)),
        acceptor(listen_at(context, options.listen, key)) {
    accept();
    ended = end.get_future();
    // What it throws ends the process: a service without its port would look alive.
    thread = std::thread([this] {
      context.run();
      end.set_value();
    });
  }

  ~Impl() {
    asio::post(context, std::packaged_task<void()>([this] { drain(); })).wait();
    port.scrapes.join();
    port.control.join();
    if (ended.wait_for(kLastAnswers) == std::future_status::timeout) context.stop();
    thread.join();
  }

  void accept() {
    acceptor.async_accept([this](const Error& error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (error) return accept_failed(error);
      admit(std::move(socket));
      accept();
    });
  }

  void admit(tcp::socket socket) {
    Error error;
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (error) return;  // gone already
    socket.set_option(tcp::no_delay(true), error);
    const auto session = std::make_shared<HttpSession>(std::move(socket), client_of(peer), port);
    switch (port.connections.admit(*session)) {
      case Connections::Admitted::kNot:
        ++port.counts.connections;
        return;
      case Connections::Admitted::kNotOfClient:
        ++port.counts.connections_of_client;
        return;
      case Connections::Admitted::kForOneOfAll:
        ++port.counts.connections;
        break;
      case Connections::Admitted::kForOneOfClient:
        ++port.counts.connections_of_client;
        break;
      case Connections::Admitted::kFreely:
        break;
    }
    session->start(tls ? &tls->context() : nullptr);
  }

  // Unless the client has gone, file descriptors have run out: closes a connection and tries again.
  void accept_failed(const Error& error) {
    if (error == asio::error::connection_aborted) return accept();
    if (port.connections.evict_one()) ++port.counts.connections;
    timer.expires_after(kAcceptAgain);
    timer.async_wait([this](const Error& cancelled) {
      if (!cancelled && acceptor.is_open()) accept();
    });
  }

  // In the port's thread, which ends when the last connection has closed.
  void drain() {
    Error ignored;
    acceptor.close(ignored);
    timer.cancel();
    port.draining = true;
    port.connections.drain();
  }
};

HttpServer::HttpServer(const HttpOptions& options, const HttpRoutes& routes, const HttpGuard& guard,
                       std::unique_ptr<HttpTls> tls, std::string_view key) {
  const SignalsBlocked blocked;
  impl_ = std::make_unique<Impl>(options, routes, guard, std::move(tls), key);
  address_ = options.listen.substr(0, options.listen.rfind(':') + 1) +
             std::to_string(impl_->acceptor.local_endpoint().port());
}

HttpServer::~HttpServer() = default;

std::string HttpServer::local_url() const {
  const std::size_t colon = address_.rfind(':');
  std::string host = address_.substr(0, colon);
  if (host == "0.0.0.0" || host.empty()) host = "127.0.0.1";
  if (host == "[::]") host = "[::1]";
  return (impl_->tls ? "https://" : "http://") + host + address_.substr(colon);
}

HttpConnectionCounts HttpServer::connections() const {
  const HttpCounts& counts = impl_->port.counts;
  return {.open = counts.open,
          .for_connections = counts.connections,
          .for_connections_of_client = counts.connections_of_client,
          .for_size = counts.size,
          .for_time = counts.time,
          .bodies_refused = counts.bodies};
}

}  // namespace neardup
