#include "pipeline/shard/answer_builder.h"

namespace neardup {

std::size_t AnswerBuilder::Hash::operator()(const CutList& list) const {
  std::uint64_t hash = list.more ? 1 : 0;
  for (const Seq seq : list.seqs) hash = (hash ^ seq) * 0x9e3779b97f4a7c15;
  return hash;
}

std::uint32_t AnswerBuilder::document(const DocumentRow& row) {
  const auto number = static_cast<std::uint32_t>(answer_.documents.size());
  const auto [known, added] = documents_.emplace(row.seq, number);
  if (added) answer_.documents.push_back({row.seq, row.id, row.distinct_shingles});
  return known->second;
}

std::uint32_t AnswerBuilder::list(const CutList& list) {
  const auto number = static_cast<std::uint32_t>(answer_.lists.size());
  const auto [known, added] = lists_.emplace(list, number);
  if (added) answer_.lists.push_back(list);
  return known->second;
}

}  // namespace neardup
