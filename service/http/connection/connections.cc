#include "service/http/connection/connections.h"

#include <algorithm>
#include <array>

namespace neardup {

Connections::Admitted Connections::admit(Connection& connection) {
  const std::string& client = connection.client();
  const auto same = [&](const Connection* other) { return other->client() == client; };
  Admitted admitted = Admitted::kFreely;
  if (static_cast<std::size_t>(std::ranges::count_if(open_, same)) >= most_of_client_) {
    if (!evict_one(&client, most_of_client_)) return Admitted::kNotOfClient;
    admitted = Admitted::kForOneOfClient;
  } else if (open_.size() >= most_) {
    if (!evict_one()) return Admitted::kNot;
    admitted = Admitted::kForOneOfAll;
  }
  open_.push_back(&connection);
  return admitted;
}

void Connections::leave(Connection& connection) { std::erase(open_, &connection); }

bool Connections::evict_one() { return evict_one(nullptr, most_); }

void Connections::drain() {
  const std::vector<Connection*> all = open_;  // a connection that closes leaves open_
  for (Connection* connection : all) connection->drain();
}

Connection* Connections::next_to_go(const std::string* client, std::size_t limit) const {
  constexpr std::size_t kShareOfNewcomers = 8;
  std::array<Connection*, 3> longest = {};  // of the waiting ones, by what they have shown
  std::size_t newcomers = 0;
  for (Connection* connection : open_) {
    if (!connection->waiting_since() || (client && connection->client() != *client)) continue;
    newcomers += connection->shown() == Shown::kNothing ? 1 : 0;
    Connection*& first = longest[static_cast<std::size_t>(connection->shown())];
    if (!first || *connection->waiting_since() < *first->waiting_since()) first = connection;
  }
  const auto [nothing, head, token] = longest;
  if (nothing && (!head || newcomers >= limit / kShareOfNewcomers)) return nothing;
  return head ? head : token;
}

bool Connections::evict_one(const std::string* client, std::size_t limit) {
  Connection* next = next_to_go(client, limit);
  if (next) next->evict();
  return next != nullptr;
}

}  // namespace neardup
