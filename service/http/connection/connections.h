// The open connections of the port, and which of them is closed to make room for a new one.
//
// At a limit, a new connection replaces one that waits for its client, which may be idle, sending
// slowly or reading slowly: of the connections that have shown least, the one that has waited
// longest. So a client that only opens connections loses them first, then a client without a token,
// and probes are answered. Used by one thread.
//
// A newcomer has shown nothing yet. So that those who hold connections with a head do not keep it
// out, an eighth of a limit is left to such: while there are fewer, they go after those with a
// head.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neardup {

// How far a client has identified itself on a connection.
enum class Shown : std::uint8_t {
  kNothing,  // not even the head of a request
  kHead,     // the latest request had no valid token
  kToken,    // the latest request had one
};

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~Connection() = default;
  // Closes the connection at once, which leaves Connections.
  virtual void evict() = 0;
  // Closes the connection; if a request is being answered, after the answer.
  virtual void drain() = 0;

  const std::string& client() const { return client_; }
  // Since when the server waits for the client; nothing while the client waits for the server.
  std::optional<Time> waiting_since() const { return waiting_since_; }
  Shown shown() const { return shown_; }

 protected:
  explicit Connection(std::string client) : client_(std::move(client)) {}
  void set_shown(Shown shown) { shown_ = shown; }
  void set_waiting(std::optional<Time> since) { waiting_since_ = since; }

 private:
  const std::string client_;
  std::optional<Time> waiting_since_;
  Shown shown_ = Shown::kNothing;
};

class Connections {
 public:
  Connections(std::size_t most, std::size_t most_of_client)
      : most_(most), most_of_client_(most_of_client) {}

  enum class Admitted : std::uint8_t {
    kFreely,
    kForOneOfClient,  // an older connection of the same client was evicted
    kForOneOfAll,     // one of all was evicted
    kNotOfClient,     // every connection of the same client is being answered
    kNot,             // every connection is being answered
  };
  // Adds `connection` unless the result is kNotOfClient or kNot. Requires: it leaves before its
  // destruction.
  Admitted admit(Connection& connection);
  void leave(Connection& connection);

  // Evicts one that waits. False: none does.
  bool evict_one();
  void drain();

  std::size_t open() const { return open_.size(); }

 private:
  // The connection that goes next, of `client`, or of all if that is null; or null. `limit`:
  // theirs.
  Connection* next_to_go(const std::string* client, std::size_t limit) const;
  bool evict_one(const std::string* client, std::size_t limit);

  const std::size_t most_;
  const std::size_t most_of_client_;
  std::vector<Connection*> open_;
};

}  // namespace neardup
