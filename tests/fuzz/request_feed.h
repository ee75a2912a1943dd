// Bytes of a connection, given to a reader of requests in pieces, without sockets and time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "service/http/message/message.h"

namespace neardup {

inline void require(bool holds) {
  if (!holds) std::abort();
}

class RequestFeed {
 public:
  // Pieces of at most `piece` bytes.
  RequestFeed(std::string_view bytes, std::size_t piece, std::size_t max_head,
              std::uint64_t max_body)
      : reader_(max_head, max_body), bytes_(bytes), piece_(piece), most_(max_head) {}

  RequestReader& reader() { return reader_; }
  const RequestReader& reader() const { return reader_; }

  void allow_any_body() {
    reader_.allow_any_body();
    most_ = kMostOfUpload;
  }

  // Feeds what `read` asks for. False: it is refused, or the bytes end before.
  template <typename Read>
  bool read(const Read& read) {
    Progress progress;
    while ((progress = read()) == Progress::kMore) {
      if (bytes_.empty()) return false;
      feed();
    }
    if (progress == Progress::kRefused) require(reader_.refusal().status >= 400);
    return progress == Progress::kDone;
  }

 private:
  static constexpr std::size_t kMostOfUpload = std::size_t{64} << 10;

  void feed() {
    const auto space = reader_.space();
    require(!space.empty() && space.size() <= most_);
    const std::size_t count = std::min({piece_, space.size(), bytes_.size()});
    std::memcpy(space.data(), bytes_.data(), count);
    reader_.received(count);
    bytes_.remove_prefix(count);
  }

  RequestReader reader_;
  std::string_view bytes_;
  const std::size_t piece_;
  std::size_t most_;  // that the reader may ask for
};

}  // namespace neardup
