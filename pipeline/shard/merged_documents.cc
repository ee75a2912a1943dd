#include "pipeline/shard/merged_documents.h"

#include <algorithm>
#include <string>

#include "gpu/cpu/shingler.h"
#include "pipeline/model/query.h"
#include "storage/prefetch.h"

namespace neardup {
namespace {

Bucket band_bucket(const SketchedBatch& chunk, std::size_t i, std::uint32_t band) {
  return {static_cast<std::uint16_t>(band), chunk.rows.buckets(i)[band]};
}

}  // namespace

MergedDocuments::MergedDocuments(const Rule& rule, const CpuOptions& cpu, Window& window,
                                 const Tombstones& tombstones)
    : cap_(rule.bucket_cap),
      comparer_(rule.plan.shape(), cpu),
      window_(window),
      tombstones_(tombstones),
      sets_(Shingler(rule.plan.shingle, rule.plan.sketch.seed, cpu.simd),
            Normaliser(cpu.simd, rule.text.fold),
            [&window](Seq seq) -> std::optional<std::string> {
              const DocumentPut* put = window.document(seq);
              if (put == nullptr) return {};
              return std::string(put->text);
            }),
      scorer_(rule, comparer_, sets_),
      counted_(rule.plan.bands) {}

void MergedDocuments::ask(std::span<const ShardAnswer> answers) {
  answers_ = answers;
  version_ = nullptr;
  hidden_ = 0;
  is_short_ = false;
}

void MergedDocuments::prefetch_window(std::size_t i) const {
  const Record& record = chunk_->records[i];
  for (const void* at : window_.addresses(record.name_space, record.id)) prefetch(at);
  if (record.kind != RecordKind::kDocument) return;
  const Bucket content = content_bucket(chunk_->content[i], record.name_space);
  for (const void* at : window_.addresses(content)) prefetch(at);
  if (chunk_->has_sketch[i] == 0) return;
  for (std::uint32_t m = 0; m < counted_.size(); ++m) {
    for (const void* at : window_.addresses(band_bucket(*chunk_, i, m))) prefetch(at);
  }
}

std::optional<IdRow> MergedDocuments::version(std::size_t i) {
  key_.name_space = chunk_->records[i].name_space;
  key_.id = chunk_->records[i].id;
  IdRow row;
  switch (window_.find_id(key_, row)) {
    case Pending::Id::kErased:
      return std::nullopt;
    case Pending::Id::kPut:
      return row;
    case Pending::Id::kUntouched:
      break;
  }
  for (const ShardAnswer& answer : answers_) {
    const auto& version = answer.record->version;
    if (!version || !counts(version->row.seq)) continue;
    version_ = &*version;
    return version->row;
  }
  return std::nullopt;
}

std::optional<Original> MergedDocuments::same_content(std::size_t i) {
  const AnsweredDocument* stored = nullptr;
  for (const auto& [answer, record] : answers_) {
    for (const std::uint32_t number : record->same) {
      const AnsweredDocument& document = answer->documents[number];
      if (!counts(document.seq)) continue;
      if (stored == nullptr || document.seq < stored->seq) stored = &document;
      break;
    }
  }
  const DocumentRow* own = stored == nullptr ? oldest_in_window(i) : nullptr;
  const Seq taken = stored != nullptr ? stored->seq : own != nullptr ? own->seq : 0;
  for (const auto& [answer, record] : answers_) {
    if (!record->more_same) continue;
    if (!shows(answer->documents[record->same.back()].seq, taken)) is_short_ = true;
  }
  if (taken == 0) return std::nullopt;
  const std::string& id = stored != nullptr ? stored->id : own->id;
  return Original{id, taken, VerifiedBy::kContent, kOne, kOne, kOne, 0};
}

// Of the documents with the content of record i.
const DocumentRow* MergedDocuments::oldest_in_window(std::size_t i) {
  const std::string& name_space = chunk_->records[i].name_space;
  const DocumentRow* found = nullptr;
  window_.visit_bucket(content_bucket(chunk_->content[i], name_space), [&](const DocumentPut& put) {
    const DocumentRow& row = put.row;
    const bool is_same = row.content == chunk_->content[i] && row.name_space == name_space;
    if (is_same && is_live(row.seq)) found = &row;
    return found == nullptr;
  });
  return found;
}

std::optional<Original> MergedDocuments::best_original(std::size_t i) {
  const Query query = query_of(*chunk_, i);
  for (Counted& counted : counted_) counted.known = false;
  find_passing(i, query);
  count_cut_bands(i, query);
  std::ranges::sort(passing_, better, &Passing::document);
  for (const Passing& passing : passing_) {
    if (is_short_) break;
    if (in_counted_bucket(i, query, passing))
      return scorer_.original(query, passing.document, *passing.id);
  }
  return std::nullopt;
}

void MergedDocuments::find_passing(std::size_t i, const Query& query) {
  passing_.clear();
  for (const ShardAnswer& from : answers_) {
    for (const auto& [number, bands_hit, score] : from.record->nominees) {
      const auto& [seq, id, distinct_shingles] = from.answer->documents[number];
      if (counts(seq)) passing_.push_back({{seq, score, bands_hit, distinct_shingles}, &from, &id});
    }
  }
  list_window(i, query);
  scored_.clear();
  scorer_.append_passing(query, listed_, scored_);
  for (const PassingDocument& document : scored_) {
    passing_.push_back({document, nullptr, &window_.document(document.seq)->row.id});
  }
}

// Documents behind the first `cap` of a bucket of the window do not count, regardless of what
// shards have.
void MergedDocuments::list_window(std::size_t i, const Query& query) {
  seen_.clear();
  listed_.clear();
  for (std::uint32_t m = 0; m < counted_.size(); ++m) {
    std::uint32_t listed = 0;
    window_.visit_bucket(band_bucket(*chunk_, i, m), [&](const DocumentPut& put) {
      if (!is_in_bucket(put.row, query, m)) return true;
      if (seen_.add(put.row.seq)) listed_.push_back(&put.row);
      return ++listed < cap_;
    });
  }
}

bool MergedDocuments::is_in_bucket(const DocumentRow& row, const Query& query,
                                   std::uint32_t band) const {
  return row.name_space == query.name_space && !row.sketch.empty() && is_live(row.seq) &&
         comparer_.band_equal(query.sketch, row.sketch.data(), band);
}

// A list that was cut may hide candidates.
void MergedDocuments::count_cut_bands(std::size_t i, const Query& query) {
  for (const auto& [answer, record] : answers_) {
    for (const auto& [band, list] : record->bands) {
      if (answer->lists[list].more) counted(i, query, band);
    }
  }
}

const MergedDocuments::Counted& MergedDocuments::counted(std::size_t i, const Query& query,
                                                         std::uint32_t band) {
  Counted& counted = counted_[band];
  if (!counted.known) count(i, query, band, counted);
  return counted;
}

void MergedDocuments::count(std::size_t i, const Query& query, std::uint32_t band,
                            Counted& counted) {
  std::size_t most = window_.bucket_size(band_bucket(*chunk_, i, band));
  bool is_cut = false;
  counted.seqs.clear();
  for (const ShardAnswer& answer : answers_) {
    const CutList* list = list_of(answer, band);
    if (list == nullptr) continue;
    most += list->seqs.size();
    is_cut = is_cut || list->more;
    for (const Seq seq : list->seqs) {
      if (counts(seq)) counted.seqs.push_back(seq);
    }
  }
  counted.known = true;
  counted.all = !is_cut && most <= cap_;
  if (counted.all) return;
  std::ranges::sort(counted.seqs);
  if (counted.seqs.size() > cap_) counted.seqs.resize(cap_);
  count_window(i, query, band, counted);
  const Seq taken = counted.seqs.size() == cap_ ? counted.seqs.back() : 0;
  for (const ShardAnswer& answer : answers_) {
    const CutList* list = list_of(answer, band);
    if (list != nullptr && list->more && !shows(list->seqs.back(), taken)) is_short_ = true;
  }
}

void MergedDocuments::count_window(std::size_t i, const Query& query, std::uint32_t band,
                                   Counted& counted) {
  if (counted.seqs.size() == cap_) return;
  window_.visit_bucket(band_bucket(*chunk_, i, band), [&](const DocumentPut& put) {
    if (is_in_bucket(put.row, query, band)) counted.seqs.push_back(put.row.seq);
    return counted.seqs.size() < cap_;
  });
}

bool MergedDocuments::in_counted_bucket(std::size_t i, const Query& query, const Passing& passing) {
  for (std::uint32_t m = 0; m < counted_.size(); ++m) {
    if (!is_listed(passing, query, m)) continue;
    const Counted& oldest = counted(i, query, m);
    if (oldest.all || std::ranges::binary_search(oldest.seqs, passing.document.seq)) return true;
  }
  return false;
}

bool MergedDocuments::is_listed(const Passing& passing, const Query& query,
                                std::uint32_t band) const {
  if (passing.from != nullptr) {
    const CutList* list = list_of(*passing.from, band);
    return list != nullptr && std::ranges::binary_search(list->seqs, passing.document.seq);
  }
  return is_in_bucket(window_.document(passing.document.seq)->row, query, band);
}

const CutList* MergedDocuments::list_of(const ShardAnswer& answer, std::uint32_t band) const {
  const auto& bands = answer.record->bands;
  const auto found = std::ranges::lower_bound(bands, band, {}, &RecordAnswer::Band::band);
  return found == bands.end() || found->band != band ? nullptr : &answer.answer->lists[found->list];
}

std::optional<Ppm> MergedDocuments::similarity(std::size_t i, const IdRow& version) {
  if (version_ != nullptr) return version_->similarity;
  const DocumentPut* put = version.has_document ? window_.document(version.seq) : nullptr;
  if (put == nullptr || put->row.sketch.empty() || chunk_->has_sketch[i] == 0) return std::nullopt;
  return scorer_.similarity(query_of(*chunk_, i), put->row);
}

std::uint32_t MergedDocuments::text_bytes(const IdRow& version) const {
  if (version_ != nullptr) return version_->text_bytes;
  const DocumentPut* put = version.has_document ? window_.document(version.seq) : nullptr;
  return put == nullptr ? 0 : put->row.text_bytes;
}

}  // namespace neardup
