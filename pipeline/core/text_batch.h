// Normalised texts of a run of documents, back to back in one buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

// Bytes that a vector load may read past the end of the last text; they are 0.
inline constexpr std::size_t kTextPadding = 64;

// Text i is bytes[offsets[i], offsets[i + 1]). `bytes` ends with kTextPadding zero bytes that
// belong to no text; `offsets` has size() + 1 entries.
class TextBatch {
 public:
  TextBatch() { clear(); }

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view text(std::size_t i) const {
    return {bytes_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
  }
  const char* bytes() const { return bytes_.data(); }
  const std::uint64_t* offsets() const { return offsets_.data(); }
  std::uint64_t text_bytes() const { return offsets_.back(); }

  void clear() {
    bytes_.assign(kTextPadding, '\0');
    offsets_.assign(1, 0);
  }

  // Room for one more text of at most `most` bytes: write at the pointer, then call `push`.
  char* reserve(std::size_t most) {
    const std::size_t need = offsets_.back() + most + kTextPadding;
    if (bytes_.size() < need) bytes_.resize(need < 2 * bytes_.size() ? 2 * bytes_.size() : need);
    return bytes_.data() + offsets_.back();
  }
  // Ends the text whose `length` bytes stand at the pointer that `reserve` gave.
  void push(std::size_t length) {
    offsets_.push_back(offsets_.back() + length);
    char* end = bytes_.data() + offsets_.back();
    for (std::size_t i = 0; i < kTextPadding; ++i) end[i] = '\0';
  }
  void push(std::string_view text) {
    char* at = reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) at[i] = text[i];
    push(text.size());
  }

 private:
  std::string bytes_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace neardup
