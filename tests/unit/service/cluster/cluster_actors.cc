#include <gtest/gtest.h>

#include <algorithm>

#include "service/cluster/answer_codec.h"
#include "service/cluster/decided.h"
#include "tests/unit/service/cluster/cluster_model.h"

namespace neardup {
namespace {

constexpr int kStalledSteps = 60;
constexpr const char* kMetaAt = "test/at";  // of the decisions
constexpr FilterOptions kSmallCaches{true, 1 << 16, 1 << 12};

std::size_t meta(Store& store, std::string_view key) {
  return std::stoul(store.meta(key).value_or("0"));
}

// Documents and ids that are live after what was decided, and where it ends.
class Replay {
 public:
  explicit Replay(const ClusterLog& log) : log_(log), time_(log.rule.retention.max_step_ms) {
    for (const ClusterLog::DecidedBatch& decided : log.decisions) {
      for (const Effect& effect : decided.effects) add(effect);
      watermark_ = decided.watermark;
    }
  }

  MergedResolver::Start start() const {
    MergedResolver::Start start{.place = {next_, log_.mutant.starts_stream_time_anew
                                                     ? StreamTime(log_.rule.retention.max_step_ms)
                                                     : time_},
                                .watermark = watermark_};
    for (const auto& [seq, age] : ages_) {
      if (seq >= watermark_ && !log_.mutant.starts_without_ages) start.ages.push_back(age);
    }
    return start;
  }

 private:
  void add(const Effect& effect) {
    const ClusterLog::Chunk& chunk = *log_.chunk_of(next_);
    const std::size_t i = next_ - chunk.first;
    time_.take(chunk.batch->records[i]);
    ages_.erase(effect.ended);
    if (effect.has_version) {
      const std::uint32_t bytes = effect.has_document ? chunk.batch->text_bytes[i] : 0;
      ages_[next_] = {next_, time_.now_ms(), bytes};
    }
    ++next_;
  }

  const ClusterLog& log_;
  StreamTime time_;
  Seq next_ = 1;
  Seq watermark_ = 0;
  std::map<Seq, Age> ages_;
};

Rule resolver_rule(const ClusterLog& log) {
  Rule rule = log.rule;
  if (log.mutant.counts_cap_by_shard) rule.bucket_cap = 1'000;
  return rule;
}

// As it comes out of its message.
Answer sent(const ClusterLog& log, std::uint32_t shard, Answer answer) {
  const AnswerCodec codec(log.rule, "cluster");
  const std::string message = codec.encode({shard, std::move(answer)});
  ShardAnswers received;
  EXPECT_EQ(codec.decode(message, received), FrameOutcome::kOpened);
  EXPECT_EQ(received.shard, shard);
  EXPECT_EQ(codec.encode(received), message);
  return std::move(received.answer);
}

// The same.
std::vector<Effect> sent(Seq next, std::vector<Effect> effects) {
  Decided decided;
  decided.rule = std::string(16, 'a');
  decided.chain = std::string(32, 'a');
  decided.first = next - effects.size();
  decided.next = next;
  decided.effects = std::move(effects);
  Decided received;
  EXPECT_EQ(decode_decided(encode_decided("cluster", decided), "cluster", received),
            FrameOutcome::kOpened);
  return std::move(received.effects);
}

Answer broken(const ClusterLog& log, Answer answer) {
  const auto cut = [&](auto& list) {
    list.resize(std::min<std::size_t>(list.size(), log.rule.bucket_cap));
  };
  const bool believes = log.mutant.believes_cut_lists || log.mutant.counts_cap_by_shard;
  for (RecordAnswer& record : answer.records.told()) record.more_same &= !believes;
  for (CutList& list : answer.lists) {
    list.more &= !believes;
    if (log.mutant.counts_cap_by_shard) cut(list.seqs);
  }
  return answer;
}

}  // namespace

ShardActor::ShardActor(ClusterLog& log, Dice& dice, std::uint32_t number)
    : log_(log), dice_(dice), number_(number) {
  make_store();
  open();
}

void ShardActor::make_store() {
  shard_.reset();
  StorageOptions options;
  options.keep_texts = log_.keep_texts;
  store_ = open_memory_store(options, OpenMode::kReadWrite);
  store_->set_index(IndexEntryMaker(log_.rule.plan));
}

void ShardActor::open() {
  const std::uint32_t slack = log_.mutant.has_no_slack ? 0 : log_.slack;
  shard_.emplace(log_.rule, slack, kSmallCaches, CpuOptions(), log_.keep_texts, *store_);
  at_ = meta(*store_, kMetaAt);
  watermark_ = meta(*store_, "expired_before");
  answer_again();
}

// Sometimes the disk is lost, too: then the shard begins with an older copy, or with nothing.
void ShardActor::crash() {
  if (!dice_.chance(0.15)) {
    open();
    return;
  }
  const std::size_t copied = dice_.below(at_ + 1);
  make_store();
  open();
  while (at_ < copied) apply();
}

void ShardActor::step() {
  if (dice_.chance(0.4)) {
    apply();
  } else {
    answer();
  }
}

void ShardActor::apply() {
  if (is_done()) return;
  for (std::size_t batches = 1 + dice_.below(3); batches > 0 && !is_done(); --batches)
    apply(log_.decisions[at_]);
  if (dice_.chance(0.03)) {  // a crash before the commit
    open();
    return;
  }
  WriteSet writes;
  shard_->fill(watermark_, writes);
  writes.meta.emplace_back(kMetaAt, std::to_string(at_));
  store_->commit(writes);
  shard_->committed();
}

void ShardActor::apply(const ClusterLog::DecidedBatch& decided) {
  const auto owns = [this](Seq seq) { return log_.owns(number_, seq); };
  std::vector<Effect> effects = decided.effects;
  for (Effect& effect : effects) {
    if (log_.mutant.keeps_ended_versions) effect.ended = 0;
  }
  std::span<const Effect> rest = effects;
  while (!rest.empty()) {
    const ClusterLog::Chunk& chunk = *log_.chunk_of(shard_->decided() + 1);
    const std::size_t from = shard_->decided() + 1 - chunk.first;
    const std::size_t count = std::min(rest.size(), chunk.batch->size() - from);
    shard_->apply(*chunk.batch, from, rest.first(count), owns);
    rest = rest.subspan(count);
  }
  watermark_ = std::max(watermark_, decided.watermark);
  if (decided.again) answer_again();
  ++at_;
}

void ShardActor::answer() {
  const Seq decided = shard_->decided();
  next_answer_ = std::max(next_answer_, decided + 1);
  const ClusterLog::Chunk* chunk = log_.chunk_of(next_answer_);
  if (chunk == nullptr || chunk->first > decided + log_.window) return;
  next_answer_ = chunk->next();
  if (!std::ranges::binary_search(log_.placement(chunk->first).answering, number_)) return;
  log_.answers[number_].push_back(std::make_shared<Answer>(
      broken(log_, sent(log_, number_, shard_->answer(*chunk->batch, chunk->first)))));
}

ResolverActor::ResolverActor(ClusterLog& log, Dice& dice)
    : log_(log), dice_(dice), resolver_(resolver_rule(log), CpuOptions(), Replay(log).start()) {
  for (const auto& [shard, given] : log.answers) at_[shard] = given.size();
  commit(true, resolver_.watermark());
}

void ResolverActor::commit(bool again, Seq watermark) {
  const Seq next = resolver_.decided() + 1;
  log_.decisions.push_back({next, sent(next, std::exchange(effects_, {})), watermark, again});
  std::ranges::move(flags_, std::back_inserter(log_.flags));
  flags_.clear();
  resolver_.committed();
  if (again) resolver_.ask_again();
}

void ResolverActor::step() {
  if (dice_.chance(0.1) && !effects_.empty()) commit(false, resolver_.watermark());
  read_answers();
  for (std::size_t records = 1 + dice_.below(8); records > 0 && decide_next();) --records;
}

void ResolverActor::read_answers() {
  for (const auto& [shard, given] : log_.answers) {
    std::size_t& at = at_[shard];
    for (std::size_t most = 8; most > 0 && at < given.size(); --most) {
      const std::shared_ptr<const Answer>& answer = given[at++];
      std::shared_ptr<const Answer>& known = answers_[shard][answer->first];
      if (!known || known->as_of <= answer->as_of) known = answer;
    }
  }
}

// False: it has to wait.
bool ResolverActor::decide_next() {
  const Seq seq = resolver_.decided() + 1;
  const ClusterLog::Chunk* chunk = log_.chunk_of(seq);
  if (chunk == nullptr) return false;
  if (!find_answers(*chunk, seq)) {
    wait();
    return false;
  }
  idle_ = 0;
  resolver_.prepare(*chunk->batch);
  auto decision = resolver_.decide(seq - chunk->first, found_);
  if (!decision) {
    ++log_.shortages;
    commit(true, log_.mutant.asks_without_watermark ? watermark_ : resolver_.watermark());
    return false;
  }
  watermark_ = resolver_.watermark();
  flags_.push_back(std::move(decision->flag));
  effects_.push_back(decision->effect);
  if (log_.mutant.forgets_window) resolver_.ask_again();
  return true;
}

bool ResolverActor::find_answers(const ClusterLog::Chunk& chunk, Seq seq) {
  const bool takes_all = log_.mutant.takes_stale_answers || log_.mutant.forgets_window;
  found_.clear();
  for (const std::uint32_t shard : log_.placement(seq).answering) {
    const auto& known = answers_[shard][chunk.first];
    if (!known || (known->as_of < resolver_.base() && !takes_all)) return false;
    found_.push_back({known.get(), &known->records[seq - chunk.first]});
  }
  return true;
}

void ResolverActor::wait() {
  if (++idle_ < kStalledSteps) return;
  idle_ = 0;
  ++log_.stalls;
  commit(true, resolver_.watermark());
}

}  // namespace neardup
