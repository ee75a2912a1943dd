// Texts of a run of documents, back to back in one buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

// Bytes that a vector load may read past the end of the last text; they are 0.
inline constexpr std::size_t kTextPadding = 64;

// Text i is bytes[offsets[i], offsets[i + 1]). `bytes` ends with kTextPadding zero bytes that
// belong to no text; `offsets` has size() + 1 entries. One that was moved from is empty.
class TextBatch {
 public:
  TextBatch() { clear(); }
  TextBatch(const TextBatch&) = default;
  TextBatch& operator=(const TextBatch&) = default;
  TextBatch(TextBatch&& from) noexcept : TextBatch() { swap(from); }
  TextBatch& operator=(TextBatch&& from) noexcept {
    if (this == &from) return *this;
    swap(from);
    from.clear();
    return *this;
  }
  ~TextBatch() = default;

  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view text(std::size_t i) const {
    return {bytes_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
  }
  const char* bytes() const { return bytes_.data(); }
  const std::uint64_t* offsets() const { return offsets_.data(); }
  std::uint64_t text_bytes() const { return offsets_.back(); }

  // Keeps its memory.
  void clear() {
    if (bytes_.size() < kTextPadding) bytes_.resize(kTextPadding);
    offsets_.assign(1, 0);
    std::memset(bytes_.data(), 0, kTextPadding);
  }

  void push(std::string_view text) {
    make_room(text.size());
    if (!text.empty()) std::memcpy(bytes_.data() + offsets_.back(), text.data(), text.size());
    end_text(text.size());
  }

  // Pushes the text that `write(buffer, begin)` puts into `buffer` from byte `begin` on. `write`
  // returns the size of the text, and may make the buffer longer. The view is valid until the next
  // text is pushed.
  template <class Write>
  std::string_view push_written(const Write& write) {
    const std::size_t size = write(bytes_, static_cast<std::size_t>(offsets_.back()));
    make_room(size);
    end_text(size);
    return text(offsets_.size() - 2);
  }

 private:
  void make_room(std::size_t text_bytes) {
    const std::size_t need = offsets_.back() + text_bytes + kTextPadding;
    if (bytes_.size() < need) bytes_.resize(std::max(need, 2 * bytes_.size()));
  }
  void end_text(std::size_t text_bytes) {
    offsets_.push_back(offsets_.back() + text_bytes);
    std::memset(bytes_.data() + offsets_.back(), 0, kTextPadding);
  }
  void swap(TextBatch& other) noexcept {
    bytes_.swap(other.bytes_);
    offsets_.swap(other.offsets_);
  }

  std::string bytes_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace neardup
