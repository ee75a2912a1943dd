#include "service/http/client.h"

#include <httplib.h>

namespace neardup {
namespace {

constexpr std::chrono::seconds kConnect{3};

}  // namespace

std::optional<HttpReply> http_post(const std::string& url, const std::string& path,
                                   const std::string& token, const std::string& body,
                                   std::chrono::seconds patience) {
  httplib::Client client(url);
  if (!client.is_valid()) return {};
  client.set_connection_timeout(kConnect);
  client.set_read_timeout(patience);
  client.set_write_timeout(patience);
  const httplib::Headers headers = {{"Authorization", "Bearer " + token}};
  const httplib::Result result = client.Post(path, headers, body, "application/json");
  if (!result) return {};
  return HttpReply{result->status, result->body};
}

}  // namespace neardup
