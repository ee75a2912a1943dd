#include "pipeline/retention/retention.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/state_keys.h"

namespace neardup {
namespace {

// Ages read at once: few at first, for a resolver that decides only few records.
constexpr std::size_t kFirstWindow = 16;
constexpr std::size_t kWindow = 1024;

}  // namespace

Retention::Retention(const RetentionOptions& options, const Start& start, ReadAges read,
                     Tombstones& tombstones)
    : options_(options),
      read_(std::move(read)),
      tombstones_(tombstones),
      watermark_(start.watermark),
      bytes_(start.bytes) {
  tombstones_.listen(*this);
  tombstones_.expire(watermark_);
}

Retention::Retention(const RetentionOptions& options, Store& store, Tombstones& tombstones)
    : Retention(
          options,
          {static_cast<Seq>(meta_number(store, kMetaExpiredBefore, 0)),
           static_cast<std::uint64_t>(meta_number(store, kMetaTextBytes, 0))},
          [&store](Seq from, std::size_t limit, std::vector<Age>& ages) {
            store.ages(from, limit, ages);
          },
          tombstones) {}

void Retention::advance(Seq seq, const StreamTime& time) {
  const Seq first = options_.max_documents == 0 ? 0 : seq - std::min(seq, options_.max_documents);
  while (Ages* ages = oldest()) {
    const Age age = ages->front();
    if (age.seq >= first && !too_old(age, time)) break;
    if (options_.max_bytes != 0) bytes_ -= age.text_bytes;
    watermark_ = age.seq + 1;
    ++ages->next;
  }
  watermark_ = std::max(watermark_, first);
  tombstones_.expire(watermark_);
}

bool Retention::too_old(const Age& age, const StreamTime& time) const {
  if (options_.max_bytes != 0 && bytes_ > options_.max_bytes) return true;
  return options_.max_age_ms != 0 &&
         time.age_ms(age.time_ms) > static_cast<std::int64_t>(options_.max_age_ms);
}

Retention::Ages* Retention::oldest() {
  if (!needs_ages()) return nullptr;
  if (stored_.empty() && !all_stored_) read_ahead();
  if (!stored_.empty()) return &stored_;
  return pending_.empty() ? nullptr : &pending_;
}

void Retention::read_ahead() {
  window_ = std::clamp(4 * window_, kFirstWindow, kWindow);
  read_(watermark_, window_, stored_.all);
  stored_.next = 0;
  all_stored_ = stored_.all.size() < window_;
  for (const Seq seq : ended_) stored_.forget_bytes(seq);
}

void Retention::add(const Age& age) {
  if (!needs_ages()) return;
  pending_.all.push_back(age);
  if (options_.max_bytes != 0) bytes_ += age.text_bytes;
}

void Retention::on_tombstone(const Tombstone& document) {
  if (options_.max_bytes == 0) return;
  bytes_ -= document.text_bytes;
  if (stored_.forget_bytes(document.seq) || pending_.forget_bytes(document.seq)) return;
  ended_.insert(document.seq);
}

bool Retention::Ages::forget_bytes(Seq seq) {
  const auto at = std::lower_bound(all.begin(), all.end(), seq,
                                   [](const Age& age, Seq other) { return age.seq < other; });
  if (at == all.end() || at->seq != seq) return false;
  at->text_bytes = 0;
  return true;
}

void Retention::fill(WriteSet& writes) const {
  if (watermark_ != 0) writes.meta.emplace_back(kMetaExpiredBefore, fmt::to_string(watermark_));
  if (options_.max_bytes != 0) writes.meta.emplace_back(kMetaTextBytes, fmt::to_string(bytes_));
}

void Retention::committed() {
  pending_ = {};
  ended_.clear();
  all_stored_ = false;
}

void count_erased(Store& store, WriteSet& writes) {
  const std::int64_t bytes = meta_number(store, kMetaTextBytes, -1);
  if (bytes < 0) return;  // not counted
  std::vector<std::optional<DocumentRow>> rows;
  store.documents(writes.erase_documents, rows);
  std::int64_t left = bytes;
  for (const auto& row : rows) left -= row ? row->text_bytes : 0;
  writes.meta.emplace_back(kMetaTextBytes, fmt::to_string(left));
}

}  // namespace neardup
