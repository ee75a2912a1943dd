#include "storage/generation/column_writer.h"

#include <algorithm>

#include "storage/bytes.h"

namespace neardup {
namespace {

void append(std::string& out, std::span<const std::uint32_t> numbers) {
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

}  // namespace

ColumnWriter::ColumnWriter(SstFiles& files, const Manifest& generation, std::size_t column,
                           Filter& filter)
    : files_(files),
      generation_(generation.generation),
      column_(column),
      prefix_bits_(generation.prefix_bits),
      filter_(filter) {}

void ColumnWriter::add(Hash40 hash, std::uint32_t offset) {
  if (hash != hash_) {
    end_hash();
    hash_ = hash;
    const std::uint32_t prefix = prefix_of(hash, prefix_bits_);
    if (prefix != prefix_) {
      end_page();
      prefix_ = prefix;
    }
  }
  of_hash_.push_back(offset);
}

void ColumnWriter::end_hash() {
  if (of_hash_.empty()) return;
  filter_.add(hash_);
  if (of_hash_.size() > 1) filter_.add_repeated(hash_);
  size_.postings += of_hash_.size();
  if (of_hash_.size() < kManyPostings) {
    rest_.insert(rest_.end(), of_hash_.size(), rest_of(hash_, prefix_bits_));
    offset_.insert(offset_.end(), of_hash_.begin(), of_hash_.end());
  } else {
    rest_.push_back(rest_of(hash_, prefix_bits_));
    offset_.push_back(kLongList);
    lists_.push_back({hash_, of_hash_});
  }
  of_hash_.clear();
}

void ColumnWriter::end_page() {
  if (rest_.empty()) return;
  value_.clear();
  ByteWriter(value_).little_endian(rest_.size(), 4);
  append(value_, rest_);
  append(value_, offset_);
  const std::string key = encode_page_key(generation_, column_, prefix_);
  files_.put(key, value_);
  write_lists(key);
  rest_.clear();
  offset_.clear();
}

void ColumnWriter::write_lists(const std::string& page_key) {
  for (const List& list : lists_) {
    for (std::size_t begin = 0; begin < list.offsets.size(); begin += kListChunk) {
      const auto chunk =
          std::span(list.offsets).subspan(begin, std::min(kListChunk, list.offsets.size() - begin));
      value_.clear();
      append(value_, chunk);
      files_.put(encode_list_key(page_key, list.hash, chunk.front()), value_);
    }
  }
  lists_.clear();
}

ColumnSize ColumnWriter::finish() {
  end_hash();
  end_page();
  write_filter();
  size_.filter_lines = filter_.lines();
  return size_;
}

void ColumnWriter::write_filter() {
  const std::span<const char> bytes = filter_.bytes();
  for (std::size_t begin = 0; begin < bytes.size(); begin += kFilterPartBytes) {
    const auto part = bytes.subspan(begin, std::min(kFilterPartBytes, bytes.size() - begin));
    files_.put(encode_filter_key(generation_, column_,
                                 static_cast<std::uint32_t>(begin / kFilterPartBytes)),
               {part.data(), part.size()});
  }
}

}  // namespace neardup
