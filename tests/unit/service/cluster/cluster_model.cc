#include "tests/unit/service/cluster/cluster_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "pipeline/resolve.h"

namespace neardup {
namespace {

constexpr int kMostSteps = 40'000;
constexpr int kMostCrashes = 100;
constexpr std::size_t kMostShardsOfAModel = 7;

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

std::unique_ptr<Store> open_store(KeepTexts keep_texts) {
  StorageOptions options;
  options.keep_texts = keep_texts;
  return open_memory_store(options, OpenMode::kReadWrite);
}

// One process that reads the same log.
class Single {
 public:
  Single(const ClusterLog& log, Dice& dice)
      : store_(open_store(log.keep_texts)), resolver_(log.rule, {}, {}, log.keep_texts, *store_) {
    store_->set_index(IndexEntryMaker(log.rule.plan));
    for (const ClusterLog::Chunk& chunk : log.chunks) {
      resolver_.resolve(*chunk.batch, flags);
      if (dice.chance(0.3)) commit();
    }
    commit();
  }

  Store& store() { return *store_; }

  std::vector<Flag> flags;

 private:
  void commit() {
    WriteSet writes;
    resolver_.fill(writes);
    store_->commit(writes);
    resolver_.committed(writes);
  }

  std::unique_ptr<Store> store_;
  Resolver resolver_;
};

std::string text_of(const DocumentRow& row) {
  return fmt::format("{} {} {} {} {}.{} {} {} {} {}", row.seq, row.name_space, row.id, row.time_ms,
                     row.content.low, row.content.high, row.tokens, row.distinct_shingles,
                     row.text_bytes, fmt::join(row.sketch, ","));
}

std::string text_of(const IdRow& row) {
  return fmt::format("{} {} {}.{} {} {} {} {}", row.seq, row.time_ms, row.content.low,
                     row.content.high, row.kept, row.has_document, row.original, row.similarity);
}

// The documents of a store in the order of their seqs.
std::vector<std::string> documents_of(Store& store, const std::vector<Seq>& seqs) {
  std::vector<std::optional<DocumentRow>> rows;
  store.documents(seqs, rows);
  std::vector<std::string> texts;
  for (const auto& row : rows) {
    if (row) texts.push_back(text_of(*row) + store.text(row->seq).value_or(""));
  }
  return texts;
}

// The ids of a store with one of these versions.
std::vector<std::string> ids_of(Store& store, const std::vector<IdKey>& keys,
                                const std::vector<Seq>& seqs) {
  std::vector<std::optional<IdRow>> rows;
  store.ids(keys, rows);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!rows[i] || !std::ranges::binary_search(seqs, rows[i]->seq)) continue;
    texts.push_back(fmt::format("{} {}: {}", keys[i].name_space, keys[i].id, text_of(*rows[i])));
  }
  return texts;
}

std::vector<IdKey> keys_of(const ClusterLog& log) {
  std::vector<IdKey> keys;
  for (const ClusterLog::Chunk& chunk : log.chunks) {
    for (const Record& record : chunk.batch->records)
      keys.push_back({record.name_space, record.id});
  }
  const auto order = [](const IdKey& key) { return std::tie(key.name_space, key.id); };
  std::ranges::sort(keys, {}, order);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

ClusterModel::ClusterModel(unsigned seed, const Mutant& mutant) : dice_(seed) {
  log_.rule = random_rule(dice_);
  log_.mutant = mutant;
  const bool exact = log_.rule.decision.verify == VerifyMode::kExact;
  log_.keep_texts = exact ? KeepTexts::kKept : KeepTexts::kNone;
  log_.window = dice_.one_of({1, 5, 20, 60});
  log_.slack = dice_.one_of({1u, 1u, 2u, 4u});
  chaos_ = dice_.one_of({0.0, 0.01, 0.03});
  Seq next = 1;
  for (auto& batch : random_batches(log_.rule, dice_, 30 + dice_.below(130))) {
    const std::size_t records = batch->size();
    log_.chunks.push_back({next, std::move(batch)});
    next += records;
  }
  const auto shards = numbers(1 + dice_.below(4));
  log_.placements.emplace_back(1, Placement{1, shards, shards});
  for (const std::uint32_t number : shards) {
    for (int replicas = dice_.one_of({1, 1, 2}); replicas > 0; --replicas)
      shards_.push_back(std::make_unique<ShardActor>(log_, dice_, number));
  }
  resolver_ = std::make_unique<ResolverActor>(log_, dice_);
}

std::optional<std::string> ClusterModel::mistake() { return run() ? difference() : "stalled"; }

bool ClusterModel::run() {
  for (int i = 0; i < kMostSteps; ++i) {
    if (crashes_ > kMostCrashes) chaos_ = 0;
    step();
    if (i % 50 == 0 && is_done()) return true;
  }
  return false;
}

void ClusterModel::step() {
  const bool fails = dice_.chance(chaos_);
  crashes_ += fails ? 1 : 0;
  const std::size_t actor = dice_.below(20);
  if (actor < 3) {
    write_chunk();
  } else if (actor < 15) {
    ShardActor& shard = *shards_[dice_.below(shards_.size())];
    fails ? shard.crash() : shard.step();
  } else if (fails) {
    resolver_ = std::make_unique<ResolverActor>(log_, dice_);
  } else {
    resolver_->step();
  }
}

void ClusterModel::write_chunk() {
  if (log_.written == log_.chunks.size()) return;
  if (dice_.chance(0.03) && log_.placements.back().second.answering.size() < kMostShardsOfAModel)
    add_shard();
  ++log_.written;
}

// Sometimes the first shard is sealed, too: it answers and takes no more.
void ClusterModel::add_shard() {
  Placement placement{
      log_.placements.size() + 1, numbers(log_.placements.back().second.answering.size() + 1), {}};
  placement.active = placement.answering;
  if (dice_.chance(0.4)) placement.active.erase(placement.active.begin());
  log_.placements.emplace_back(log_.chunks[log_.written].first, placement);
  shards_.push_back(std::make_unique<ShardActor>(log_, dice_, placement.answering.back()));
}

bool ClusterModel::is_done() {
  if (log_.written < log_.chunks.size()) return false;
  if (log_.decisions.back().next < log_.chunks.back().next()) return false;
  chaos_ = 0;  // now all of them may finish
  return std::ranges::all_of(shards_, [](const auto& shard) { return shard->is_done(); });
}

std::optional<std::string> ClusterModel::difference() {
  Single single(log_, dice_);
  if (single.flags.size() != log_.flags.size()) return "flags lost or doubled";
  const FlagWriter writer("rule", log_.rule.decision.threshold,
                          [](const SourcePosition& source, std::string& out) {
                            out += fmt::format("{}", source.place);
                          });
  for (std::size_t i = 0; i < single.flags.size(); ++i) {
    std::string wanted, given;
    writer.append(single.flags[i], wanted);
    writer.append(log_.flags[i], given);
    if (wanted != given) return given + ", not " + wanted;
  }
  return different_rows(single.store());
}

// Each replica holds just the documents and ids of its blocks.
std::optional<std::string> ClusterModel::different_rows(Store& single) {
  const std::vector<IdKey> keys = keys_of(log_);
  for (const auto& shard : shards_) {
    std::vector<Seq> live, own;
    for (Seq seq = std::max<Seq>(1, log_.decisions.back().watermark);
         seq < log_.chunks.back().next(); ++seq) {
      live.push_back(seq);
      if (log_.owns(shard->number(), seq)) own.push_back(seq);
    }
    if (documents_of(shard->store(), live) != documents_of(single, own))
      return fmt::format("documents of shard {}", shard->number());
    if (ids_of(shard->store(), keys, live) != ids_of(single, keys, own))
      return fmt::format("ids of shard {}", shard->number());
  }
  return {};
}

}  // namespace neardup
