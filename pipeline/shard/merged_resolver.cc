#include "pipeline/shard/merged_resolver.h"

#include <algorithm>
#include <utility>

#include "pipeline/document_put.h"

namespace neardup {
namespace {

bool verifies_texts(const Rule& rule) { return rule.decision.verify == VerifyMode::kExact; }

Seq least_as_of(std::span<const ShardAnswer> answers) {
  const auto as_of = [](const ShardAnswer& answer) { return answer.answer->as_of; };
  return as_of(*std::ranges::min_element(answers, {}, as_of));
}

}  // namespace

MergedResolver::MergedResolver(const Rule& rule, const CpuOptions& cpu, const Start& start)
    : ages_(start.ages, tombstones_),
      retention_(
          rule.retention, {start.watermark, ages_.text_bytes()},
          [this](Seq from, std::size_t limit, std::vector<Age>& ages) {
            ages_.read(from, limit, ages);
          },
          tombstones_),
      window_(start.place.next_seq - 1, verifies_texts(rule), tombstones_),
      known_(rule, cpu, window_, tombstones_),
      judge_(rule, start.place, known_, retention_, *this) {}

// A record that cannot be decided leaves stream time as it was. The watermark may have moved, as it
// will again.
std::optional<MergedResolver::Decision> MergedResolver::decide(
    std::size_t i, std::span<const ShardAnswer> answers) {
  const Judge::Place place = judge_.place();
  ended_.reset();
  known_.ask(answers);
  if (i + 1 < chunk_->size()) known_.prefetch_window(i + 1);
  Flag flag = judge_.decide(*chunk_, i);
  if (known_.is_short()) {
    judge_.go_back(place);
    return std::nullopt;
  }
  const Effect effect = apply(i, flag);
  if (!answers.empty()) window_.shrink(least_as_of(answers), decided());
  return Decision{std::move(flag), effect};
}

void MergedResolver::replaced(const IdKey& /*key*/, const IdRow& version) {
  known_.hide(version.seq);
  ended_ = {version, false};
}

void MergedResolver::deleted(const IdKey& /*key*/, const IdRow& version) {
  ended_ = {version, true};
}

Effect MergedResolver::apply(std::size_t i, const Flag& flag) {
  const IdKey key{flag.name_space, flag.id};
  const std::optional<IdRow> version = judge_.version_of(*chunk_, i, flag);
  Effect effect;
  if (ended_) {
    effect.ended = ended_->version.seq;
    apply_end(key);
  }
  if (!version) return effect;
  effect.has_version = true;
  effect.has_document = version->has_document;
  effect.original = version->original;
  effect.similarity = version->similarity;
  window_.put_id(key, *version);
  if (version->has_document) {
    const std::size_t bands = chunk_->has_sketch[i] != 0 ? chunk_->rows.shape.bands : 0;
    window_.add(document_row(*chunk_, i, *version), chunk_->kept_text(i),
                {chunk_->rows.buckets(i), bands});
  }
  const Age age{flag.seq, version->time_ms, version->has_document ? chunk_->text_bytes[i] : 0};
  retention_.add(age);
  ages_.add(age);
  return effect;
}

void MergedResolver::apply_end(const IdKey& key) {
  const IdRow& version = ended_->version;
  if (ended_->is_deleted) window_.erase_id(key);
  if (version.has_document) tombstones_.add({version.seq, known_.text_bytes(version)});
}

void MergedResolver::committed() {
  ages_.committed(tombstones_.expired_before());
  retention_.committed();
  tombstones_.committed();
}

}  // namespace neardup
