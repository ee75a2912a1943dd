// Who may make which request: tokens, hosts, and web pages of other origins.
//
// Writing needs a token that may write. Reading needs any token, unless it is open. Everything but
// probes is refused to a web page of another site whose name was pointed at this machine (DNS
// rebinding): the Host of the request has to be a name of this service. A browser lets a page of
// another origin ask the service and read its answers only after the CORS protocol (Fetch
// standard).
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/connection/file_watch.h"
#include "service/http/message/message.h"
#include "service/http/route.h"

namespace neardup {

// The tokens that let requests in. Used by one thread.
class HttpTokens {
 public:
  // None, or some that stay.
  HttpTokens() = default;
  HttpTokens(std::initializer_list<std::string> tokens) : fixed_(tokens) {}
  void add(std::string token) { fixed_.push_back(std::move(token)); }

  // Reads the tokens of a file. Returns the problem, or "".
  using Read =
      std::function<std::string(const std::string& path, std::vector<std::string>& tokens)>;
  // Called for a problem with a changed file, all of whose tokens are revoked from now on; and with
  // "" when it is good again.
  using Told = std::function<void(const std::string& problem)>;
  // Lets in those of the file at `path`, too, which is read again when it changes. `tokens`: what
  // it held lately.
  void follow(std::string path, std::vector<std::string> tokens, Read read, Told told);

  // Whether `authorization`, the value of the header, has one of them as `Bearer TOKEN`; the scheme
  // in any case. Takes the same time for all of one length.
  bool allow(std::string_view authorization);

 private:
  void look_at_file();

  std::vector<std::string> fixed_;
  std::string path_;
  FileWatch watch_;
  std::vector<std::string> of_file_;
  Read read_;
  Told told_;
  bool good_ = true;  // the file, lately
};

// The client of a request.
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

// A browser asks first, by OPTIONS with Origin and Access-Control-Request-Method and without a
// token, before it sends what no form of a page could send.
bool is_preflight(const RequestHead& head);

// The refusal of what may not ask.
HttpAnswer unknown_origin();

// What web pages of other origins may ask.
class HttpCors {
 public:
  // `origins`: SCHEME://HOST[:PORT], as browsers send them.
  explicit HttpCors(std::vector<std::string> origins = {}) : origins_(std::move(origins)) {}

  // Fields that let a page of `origin` read the answer; none when it may not.
  HttpFields fields(std::string_view origin) const;
  // Whether what asks may have the request carried out: a program, which sends no origin, a page of
  // the service itself, whose origin is the Host of the request, or a page of a listed origin.
  bool may_ask(const RequestHead& head) const;
  // The answer to a preflight, without these fields. `methods`: with commas, those of the path.
  HttpAnswer preflight(std::string_view origin, const std::string& methods) const;

 private:
  bool allows(std::string_view origin) const;

  std::vector<std::string> origins_;
};

}  // namespace neardup
