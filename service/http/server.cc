#include "service/http/server.h"

#include <fmt/core.h>
#include <httplib.h>
#include <pthread.h>

#include <charconv>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

#include "pipeline/core/failure.h"

namespace neardup {
namespace {

constexpr std::size_t kThreads = 16;                          // each can be held by one slow client
constexpr time_t kPatienceSeconds = 3;                        // for each read and write
constexpr std::size_t kMostBodyBytes = std::size_t{4} << 20;  // read only with a token

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

// Before the body is read: what can be refused by the head alone.
std::optional<HttpAnswer> refusal(const httplib::Request& request, const HttpControl& control) {
  if (control.handlers.contains(request.path)) {
    if (request.method != "POST") return HttpAnswer{405, "only POST is answered here\n"};
    if (control.allows(request.get_header_value("Authorization"))) return {};
    return HttpAnswer{401, "a token is needed: Authorization: Bearer TOKEN\n"};
  }
  if (request.method == "GET" || request.method == "HEAD") return {};
  return HttpAnswer{405, "only GET and HEAD are answered here\n"};
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
  HttpControl control;
  std::thread thread;

  Impl(const HttpHandlers& handlers, HttpControl for_token) : control(std::move(for_token)) {
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
    for (const auto& [path, handler] : control.handlers) {
      server.Post(path,
                  [answer = handler](const httplib::Request& request, httplib::Response& response) {
                    set_answer(answer(request.body), response);
                  });
    }
    server.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          const auto refused = refusal(request, control);
          if (!refused) return httplib::Server::HandlerResponse::Unhandled;
          set_answer(*refused, response);
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

HttpServer::HttpServer(const HttpOptions& options, const HttpHandlers& handlers,
                       const HttpControl& control)
    : impl_(std::make_unique<Impl>(handlers, control)) {
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

std::string HttpServer::local_url() const {
  const std::size_t colon = address_.rfind(':');
  std::string host = address_.substr(0, colon);
  if (host == "0.0.0.0" || host.empty()) host = "127.0.0.1";
  if (host == "[::]") host = "[::1]";
  return "http://" + host + address_.substr(colon);
}

HttpServer::~HttpServer() {
  impl_->server.stop();
  impl_->thread.join();
}

}  // namespace neardup
