#include "storage/generation/page_stream.h"

#include <algorithm>

#include "storage/rocksdb/read.h"

namespace neardup {
namespace {

constexpr std::size_t kReadAhead = std::size_t{1} << 20;

rocksdb::ReadOptions sequential() {
  rocksdb::ReadOptions options = read_once();
  options.readahead_size = kReadAhead;
  return options;
}

std::uint64_t posting(Hash40 hash, std::uint64_t offset) { return hash << 32 | offset; }

}  // namespace

PageStream::PageStream(const RocksdbState& state, const Manifest& manifest, std::size_t column,
                       Seq first)
    : state_(state),
      prefix_bits_(manifest.prefix_bits),
      shift_(manifest.first - first),
      left_(manifest.columns[column].postings),
      end_key_(encode_filter_key(manifest.generation, column, 0)),
      at_(state.db().NewIterator(sequential(), state.family(Family::kIndex))) {
  at_->Seek(rocksdb::Slice(encode_page_key(manifest.generation, column, 0)));
}

void PageStream::read_until(Hash40 end, std::vector<std::uint64_t>& postings) {
  const std::size_t begin = postings.size();
  bool lists = false;
  for (; at_->Valid() && at_->key().ToStringView() < end_key_; at_->Next()) {
    const auto key = decode_page_key(at_->key().ToStringView());
    if (!key) state_.damaged("a key of the index");
    if (hash_from(key->prefix, 0, prefix_bits_) >= end) break;
    const std::string_view value = at_->value().ToStringView();
    const auto page = key->is_list ? std::nullopt : decode_page(value);
    const auto list = key->is_list ? decode_list(value) : std::nullopt;
    if (!page && !list) state_.damaged("a page of the index");
    if (page) read_page(*page, key->prefix, postings);
    if (list) read_list(*list, key->hash, postings);
    lists |= list.has_value();
  }
  state_.check(at_->status(), "merging the index");
  left_ -= postings.size() - begin;
  if (lists) std::sort(postings.begin() + static_cast<std::ptrdiff_t>(begin), postings.end());
}

void PageStream::check_end() const {
  if (left_ != 0) state_.damaged("a page of the index");
}

void PageStream::read_page(const Page& page, std::uint32_t prefix,
                           std::vector<std::uint64_t>& postings) {
  const Hash40 base = hash_from(prefix, 0, prefix_bits_);
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page.offset[i] == kLongList) continue;  // its list follows
    postings.push_back(posting(base | page.rest[i], page.offset[i] + shift_));
  }
}

void PageStream::read_list(const Offsets& list, Hash40 hash, std::vector<std::uint64_t>& postings) {
  for (std::size_t i = 0; i < list.size(); ++i) postings.push_back(posting(hash, list[i] + shift_));
}

}  // namespace neardup
