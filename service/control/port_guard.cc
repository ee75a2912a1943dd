#include "service/control/port_guard.h"

#include <fmt/core.h>

#include <utility>

#include "config/secrets.h"

namespace neardup {
namespace {

std::string_view host_of(std::string_view listen) { return listen.substr(0, listen.rfind(':')); }

// Lets `tokens` follow the file at `path`.
void follow(const std::string& path, const std::vector<std::string>& now, Log& log,
            HttpTokens& tokens) {
  if (path.empty()) return;
  tokens.follow(path, now, read_token_file, [path, &log](const std::string& problem) {
    if (problem.empty()) return log.info("tokens reloaded", {{"file", path}});
    log.warning(
        "tokens revoked",
        {{"reason",
          fmt::format("{} {}: every token of this file is rejected until it holds valid ones", path,
                      problem)}});
  });
}

}  // namespace

bool on_loopback(std::string_view listen) {
  const std::string_view host = host_of(listen);
  const bool number = host.find_first_not_of("0123456789.") == host.npos;
  return (number && host.starts_with("127.")) || host == "localhost" || host == "[::1]";
}

HttpGuard make_guard(const HttpOptions& options, std::vector<std::string> writers, Log& log) {
  HttpGuard guard;
  HttpTokens may_write;
  for (std::string& token : writers) may_write.add(std::move(token));
  follow(options.token_file, options.tokens, log, may_write);
  guard.set_writers(std::move(may_write));
  HttpTokens may_read;
  follow(options.read_token_file, options.read_tokens, log, may_read);
  guard.set_readers(std::move(may_read));
  const bool loopback = on_loopback(options.listen);
  if (loopback && options.read_token_file.empty()) guard.open_reading();
  if (loopback || !options.hosts.empty()) {
    std::vector<std::string> hosts = options.hosts;
    hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "[::1]"});
    if (loopback) hosts.emplace_back(host_of(options.listen));
    guard.restrict_hosts(hosts);
  }
  return guard;
}

std::unique_ptr<HttpTls> make_tls(const HttpTlsOptions& options, Log& log) {
  if (options.cert_file.empty()) return nullptr;
  return std::make_unique<HttpTls>(options, [&log](const std::string& problems) {
    log.warning("certificates not read",
                {{"reason", fmt::format("{}; the previous ones stay in use", problems)}});
  });
}

}  // namespace neardup
