// Who may make which request.
//
// Writing needs a token that may write. Reading needs any token, unless it is open. Everything but
// probes is refused to a web page of another site whose name was pointed at this machine (DNS
// rebinding): the Host of the request has to be a name of this service.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/http/route.h"
#include "service/http/tokens.h"

namespace neardup {

// Who makes a request.
enum class HttpCaller : std::uint8_t {
  kAnybody,  // without a token that is known
  kReader,
  kWriter,
};

// Used by one thread.
class HttpGuard {
 public:
  // Nobody may write, and nobody read.
  HttpGuard() = default;

  void set_writers(HttpTokens tokens) { writers_ = std::move(tokens); }
  void set_readers(HttpTokens tokens) { readers_ = std::move(tokens); }
  // Reading needs no token.
  void open_reading() { read_is_open_ = true; }
  // Requests for other hosts are refused. `hosts` are names or addresses, without ports; without a
  // call every host is taken. Requests without a Host come from no browser.
  void restrict_hosts(const std::vector<std::string>& hosts);

  // By its token.
  HttpCaller caller(const RequestHead& head);
  // Nothing: the request may be made by `caller`.
  std::optional<HttpAnswer> refusal(const RequestHead& head, HttpAccess access,
                                    HttpCaller caller) const;

 private:
  bool is_host(std::string_view host) const;

  HttpTokens writers_;
  HttpTokens readers_;
  bool read_is_open_ = false;
  std::optional<std::vector<std::string>> hosts_;
};

}  // namespace neardup
