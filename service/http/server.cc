#include "service/http/server.h"

#include <fmt/core.h>
#include <httplib.h>
#include <pthread.h>

#include <charconv>
#include <csignal>
#include <thread>
#include <utility>

#include "pipeline/core/failure.h"

namespace neardup {
namespace {

constexpr std::size_t kThreads = 16;    // each can be held by one slow client
constexpr time_t kPatienceSeconds = 3;  // for each read and write
constexpr std::size_t kMostBodyBytes = 4096;

struct HostPort {
  std::string host;
  std::uint16_t port = 0;
};

// config has checked its form.
HostPort split(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  HostPort parts;
  parts.host = listen.substr(0, colon);
  const char* port = listen.data() + colon + 1;
  std::from_chars(port, listen.data() + listen.size(), parts.port);
  if (parts.host.starts_with('[')) parts.host = parts.host.substr(1, parts.host.size() - 2);
  return parts;
}

// cpp-httplib also sets SO_REUSEPORT, with which a second process would share the port unnoticed.
void reuse_address(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

void set_answer(const HttpAnswer& answer, httplib::Response& response) {
  response.status = answer.status;
  response.set_content(answer.body, answer.type);
}

// A signal that interrupts the waiting thread would end it.
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
  httplib::Server server;
  std::string paths;
  std::thread thread;

  explicit Impl(const HttpHandlers& handlers) {
    server.set_socket_options(reuse_address);
    server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server.set_read_timeout(kPatienceSeconds);
    server.set_write_timeout(kPatienceSeconds);
    server.set_keep_alive_max_count(1);
    server.set_payload_max_length(kMostBodyBytes);
    for (const auto& [path, handler] : handlers) {
      paths += " " + path;
      server.Get(path, [answer = handler](const httplib::Request&, httplib::Response& response) {
        set_answer(answer(), response);
      });
    }
    server.set_pre_routing_handler(
        [](const httplib::Request& request, httplib::Response& response) {
          if (request.method == "GET" || request.method == "HEAD") {
            return httplib::Server::HandlerResponse::Unhandled;
          }
          set_answer({405, "only GET and HEAD are answered here\n"}, response);
          return httplib::Server::HandlerResponse::Handled;
        });
    server.set_error_handler([this](const httplib::Request&, httplib::Response& response) {
      if (response.status == 404) set_answer({404, "not found; there is" + paths + "\n"}, response);
    });
  }

  std::uint16_t bind(const HostPort& at) {
    if (at.port != 0) return server.bind_to_port(at.host, at.port) ? at.port : 0;
    const int port = server.bind_to_any_port(at.host);
    return port > 0 ? static_cast<std::uint16_t>(port) : 0;
  }
};

HttpServer::HttpServer(const HttpOptions& options, const HttpHandlers& handlers)
    : impl_(std::make_unique<Impl>(handlers)) {
  const HostPort at = split(options.listen);
  const std::uint16_t port = impl_->bind(at);
  if (port == 0) {
    throw Failure(Exit::kConfig,
                  fmt::format("http.listen: {} cannot be listened on: is the port in use, and the "
                              "address one of this machine?",
                              options.listen));
  }
  address_ = options.listen.substr(0, options.listen.rfind(':') + 1) + std::to_string(port);
  const SignalsBlocked blocked;
  impl_->thread = std::thread([this] { impl_->server.listen_after_bind(); });
  while (!impl_->server.is_running()) std::this_thread::yield();
}

HttpServer::~HttpServer() {
  impl_->server.stop();
  impl_->thread.join();
}

}  // namespace neardup
