// One decompression format, fed piece by piece.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace neardup {

class Codec {
 public:
  struct Step {
    std::size_t used = 0;      // bytes of `in`
    std::size_t produced = 0;  // bytes in `out`
    bool ended = false;        // a member or frame ended; the next one may follow
    std::string error = {};    // not empty: the data is damaged after what was produced
  };
  virtual ~Codec() = default;

  // Decompresses until `in` is used up, `out` is full, or a member ends.
  virtual Step step(const char* in, std::size_t in_size, char* out, std::size_t out_size) = 0;
};

// Zero bytes after the last member are skipped, as gzip does; anything else is damage.
std::unique_ptr<Codec> make_gzip_codec();
// Refuses frames with a window of more than 2^largest_window bytes.
std::unique_ptr<Codec> make_zstd_codec(int largest_window = 27);
// Streams one after the other, as `bzip2` and `pbzip2` write them.
std::unique_ptr<Codec> make_bzip2_codec();
// Zero bytes between streams and after the last are skipped, as xz does. Refuses what needs more
// than 256 MiB of memory.
std::unique_ptr<Codec> make_xz_codec();
// LZ4 frames; not the legacy format of `lz4 -l`.
std::unique_ptr<Codec> make_lz4_codec();

// The bytes as one member, or as one frame that holds their number.
std::string gzip_member(std::string_view bytes);
std::string zstd_frame(std::string_view bytes, int level = 3);
// The bytes of one such frame. Nothing: it is damaged, or holds more than `most` bytes.
std::optional<std::string> bytes_of_zstd_frame(std::string_view frame, std::size_t most);

}  // namespace neardup
