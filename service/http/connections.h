// The connections that are open at the port, and which of them makes room for a new one.
//
// A limit never keeps a new client out: the connection that has waited longest for its client goes,
// be it idle, sending slowly or reading slowly. So whoever fills the port loses its own connections
// first, and a probe gets in. One thread uses it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neardup {

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~Connection() = default;
  // Closes it at once and leaves.
  virtual void evict() = 0;
  // The port ends: closes it, unless a request is being answered; then after the answer.
  virtual void drain() = 0;

  const std::string& client() const { return client_; }
  // Since when the server waits for the client; nothing while the client waits for the server.
  std::optional<Time> waiting_since() const { return waiting_since_; }

 protected:
  explicit Connection(std::string client) : client_(std::move(client)) {}
  void set_waiting(std::optional<Time> since) { waiting_since_ = since; }

 private:
  const std::string client_;
  std::optional<Time> waiting_since_;
};

class Connections {
 public:
  Connections(std::size_t most, std::size_t most_of_client)
      : most_(most), most_of_client_(most_of_client) {}

  enum class Admitted : std::uint8_t {
    kFreely,
    kForOneOfClient,  // an older connection of the same client was evicted
    kForOneOfAll,     // the one that waits longest was
    kNot,             // all that could make room are being answered
  };
  // Takes `connection` in unless the result is kNot. Requires: it leaves before it ends.
  Admitted admit(Connection& connection);
  void leave(Connection& connection);

  // Evicts the one that waits longest, if any waits.
  bool evict_one();
  void drain();

  std::size_t open() const { return open_.size(); }

 private:
  // The one that waits longest: of `client`, or of all where that is null.
  Connection* longest_waiting(const std::string* client) const;
  bool evict_one(const std::string* client);

  const std::size_t most_;
  const std::size_t most_of_client_;
  std::vector<Connection*> open_;
};

}  // namespace neardup
