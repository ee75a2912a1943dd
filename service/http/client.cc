#include "service/http/client.h"

#include <httplib.h>

namespace neardup {
namespace {

constexpr std::chrono::seconds kConnect{3};

void set_patience(httplib::Client& client, std::chrono::seconds patience) {
  client.set_connection_timeout(kConnect);
  client.set_read_timeout(patience);
  client.set_write_timeout(patience);
}

std::optional<HttpReply> reply_of(const httplib::Result& result) {
  if (!result) return {};
  return HttpReply{result->status, result->body};
}

}  // namespace

std::optional<HttpReply> http_post(const std::string& url, const std::string& path,
                                   const std::string& token, const std::string& body,
                                   std::chrono::seconds patience) {
  httplib::Client client(url);
  if (!client.is_valid()) return {};
  set_patience(client, patience);
  const httplib::Headers headers = {{"Authorization", "Bearer " + token}};
  return reply_of(client.Post(path, headers, body, "application/json"));
}

std::optional<HttpReply> http_get(const std::string& url, std::chrono::seconds patience) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return {};
  const std::size_t path = url.find('/', scheme + 3);
  httplib::Client client(url.substr(0, path));
  if (!client.is_valid()) return {};
  set_patience(client, patience);
  return reply_of(client.Get(path == std::string::npos ? "/" : url.substr(path)));
}

}  // namespace neardup
