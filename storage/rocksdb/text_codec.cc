#include "storage/rocksdb/text_codec.h"

#include <zstd.h>

#include <new>
#include <stdexcept>

#include "storage/bytes.h"

namespace neardup {
namespace {

constexpr int kLevel = 1;
constexpr std::size_t kMaxVarintBytes = 10;
// Of a frame: a block has 4 bytes at least, and 128 KiB of text at most.
constexpr std::uint64_t kMostExpansion = (std::uint64_t{128} << 10) / 4;

}  // namespace

struct TextCodec::Contexts {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compress{ZSTD_createCCtx(), &ZSTD_freeCCtx};
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> decompress{ZSTD_createDCtx(),
                                                                  &ZSTD_freeDCtx};
};

TextCodec::TextCodec() : contexts_(std::make_unique<Contexts>()) {
  if (!contexts_->compress || !contexts_->decompress) throw std::bad_alloc();
}

TextCodec::~TextCodec() = default;

std::string TextCodec::encode(std::string_view text) {
  std::string stored;
  stored.reserve(kMaxVarintBytes + ZSTD_compressBound(text.size()));
  ByteWriter(stored).varint(text.size());
  const std::size_t start = stored.size();
  stored.resize(stored.capacity());
  const std::size_t written =
      ZSTD_compressCCtx(contexts_->compress.get(), stored.data() + start, stored.size() - start,
                        text.data(), text.size(), kLevel);
  if (ZSTD_isError(written)) throw std::runtime_error(ZSTD_getErrorName(written));
  stored.resize(start + written);
  return stored;
}

std::optional<std::string> TextCodec::decode(std::string_view stored, std::uint64_t max_bytes) {
  ByteReader reader(stored);
  const std::uint64_t size = reader.varint();
  const std::string_view frame = reader.rest();
  if (!reader.finished() || size > max_bytes) return {};
  if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != size) return {};
  if (size / kMostExpansion > frame.size()) return {};  // it lies: no memory for it
  std::string text(size, '\0');
  const std::size_t got = ZSTD_decompressDCtx(contexts_->decompress.get(), text.data(), text.size(),
                                              frame.data(), frame.size());
  if (ZSTD_isError(got) || got != size) return {};
  return text;
}

}  // namespace neardup
