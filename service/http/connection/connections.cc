#include "service/http/connection/connections.h"

#include <algorithm>

namespace neardup {

Connections::Admitted Connections::admit(Connection& connection) {
  const std::string& client = connection.client();
  const auto same = [&](const Connection* other) { return other->client() == client; };
  Admitted admitted = Admitted::kFreely;
  if (static_cast<std::size_t>(std::ranges::count_if(open_, same)) >= most_of_client_) {
    if (!evict_one(&client)) return Admitted::kNotOfClient;
    admitted = Admitted::kForOneOfClient;
  } else if (open_.size() >= most_) {
    if (!evict_one()) return Admitted::kNot;
    admitted = Admitted::kForOneOfAll;
  }
  open_.push_back(&connection);
  return admitted;
}

void Connections::leave(Connection& connection) { std::erase(open_, &connection); }

bool Connections::evict_one() { return evict_one(nullptr); }

void Connections::drain() {
  const std::vector<Connection*> all = open_;  // a connection that closes leaves open_
  for (Connection* connection : all) connection->drain();
}

Connection* Connections::longest_waiting(const std::string* client) const {
  Connection* longest = nullptr;
  for (Connection* connection : open_) {
    if (!connection->waiting_since() || (client && connection->client() != *client)) continue;
    if (!longest || *connection->waiting_since() < *longest->waiting_since()) longest = connection;
  }
  return longest;
}

bool Connections::evict_one(const std::string* client) {
  Connection* longest = longest_waiting(client);
  if (longest) longest->evict();
  return longest != nullptr;
}

}  // namespace neardup
