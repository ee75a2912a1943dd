// Directories and archives for the tests of inputs and outputs.
#pragma once

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "service/file/byte_stream.h"
#include "service/file/record_reader.h"
#include "tests/scratch_directory.h"

namespace neardup {

inline std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

inline std::string bzip2(std::string_view bytes) {
  auto size = static_cast<unsigned>(bytes.size() + bytes.size() / 64 + 1024);
  std::string out(size, '\0');
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(bytes.data()),
                           static_cast<unsigned>(bytes.size()), 1, 0, 0);
  out.resize(size);
  return out;
}

inline std::string xz(std::string_view bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                          reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

inline std::string lz4(std::string_view bytes) {
  LZ4F_preferences_t options{};
  options.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string out(LZ4F_compressFrameBound(bytes.size(), &options), '\0');
  out.resize(LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), &options));
  return out;
}

// A string as a stream that gives `piece` bytes at once.
class StringStream : public ByteStream {
 public:
  explicit StringStream(std::string bytes, std::size_t piece = 1 << 20)
      : bytes_(std::move(bytes)), piece_(piece) {}

  std::size_t read(char* to, std::size_t most) override {
    const std::size_t got = bytes_.copy(to, std::min(piece_, most), at_);
    at_ += got;
    return got;
  }
  bool skip(std::uint64_t bytes) override {
    if (bytes > bytes_.size() - at_) return false;
    at_ += bytes;
    return true;
  }
  const std::string& name() const override { return name_; }
  std::uint64_t stored_bytes() const override { return at_; }

 private:
  std::string name_ = "in";
  std::string bytes_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

// "number:bytes" of each record, "number:(size)" of one that is too large, "number!fault" of a
// faulty one; $ behind one without a line end; and what() of the failure that ended them.
inline std::vector<std::string> records_of(RecordReader& reader) {
  std::vector<std::string> records;
  try {
    Line line;
    for (std::string buffer; reader.next(buffer, line); buffer.clear()) {
      records.push_back(
          std::to_string(line.number) + (line.faulty ? "!" : ":") +
          (line.too_large ? "(" + std::to_string(line.size) + ")" : buffer.substr(0, line.size)) +
          (line.ended ? "" : "$"));
    }
  } catch (const Failure& failure) {
    records.push_back(failure.exit() == Exit::kUnreadable ? failure.what() : "another exit");
  }
  return records;
}

// What is left behind each record of `make()`, by a reader that resumes there. Empty: all of it.
template <class Make>
std::string first_wrong_resumption(const Make& make) {
  auto all_reader = make();
  const std::vector<std::string> all = records_of(*all_reader);
  auto reader = make();
  Line line;
  std::size_t done = 0;
  for (std::string buffer; reader->next(buffer, line); buffer.clear()) {
    ++done;
    auto later = make();
    if (!later->resume(reader->position())) return "no such position: " + all[done - 1];
    const std::vector<std::string> rest = records_of(*later);
    if (!std::equal(rest.begin(), rest.end(), all.begin() + static_cast<std::ptrdiff_t>(done),
                    all.end()))
      return all[done - 1];
    if (later->position() != all_reader->position()) return "another end: " + all[done - 1];
  }
  return done == all.size() ? "" : "not all records were returned";
}

}  // namespace neardup
