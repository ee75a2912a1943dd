#include "python/binding/session.h"

#include <chrono>
#include <filesystem>

#include "gpu/backends.h"
#include "pipeline/checker.h"
#include "pipeline/state_keys.h"
#include "python/binding/column_source.h"
#include "python/binding/errors.h"
#include "service/log/clock.h"
#include "service/pipeline_options.h"
#include "service/search/engines.h"
#include "service/search/search_answers.h"
#include "service/state/comparison.h"
#include "service/state/delete_documents.h"
#include "service/state/group_report.h"
#include "service/state/state_report.h"
#include "storage/stores.h"

namespace neardup {
namespace {

// Calls up to these sizes are decided without threads, whose start takes longer.
constexpr std::size_t kFewTexts = 64;
constexpr std::uint64_t kFewBytes = std::uint64_t{64} << 10;

constexpr std::uint64_t kCheckedBytes = std::uint64_t{1} << 20;

bool are_few(const Columns& columns) {
  if (columns.size() > kFewTexts) return false;
  std::uint64_t bytes = 0;
  for (const std::string_view text : columns.texts.values) bytes += text.size();
  return bytes <= kFewBytes;
}

}  // namespace

StateSettings settings_of(const std::vector<std::string>& sets, bool temporary,
                          const std::optional<std::string>& stored_rule,
                          std::vector<std::string>& warnings) {
  return settings_over(stored_rule.value_or(""), [&](const Config* base) {
    LoadRequest request;
    request.sets = sets;
    request.temporary_state = temporary;
    request.base = base;
    LoadResult loaded = load_config(request);
    warnings = loaded.warnings;
    return loaded;
  });
}

void Session::Collector::add(const RawChunk& /*chunk*/, std::vector<Flag>& decided) {
  for (const Flag& flag : decided) flags->add(flag);
}

Session::Session(const std::optional<std::string>& path, const std::vector<std::string>& sets) {
  if (!path) directory_ = std::make_unique<TemporaryDirectory>();
  path_ = path ? *path : directory_->path();
  open_store(sets, !path);
  rule_ = rule_fingerprint(rule_text(settings_.rule));
  backend_ = make_backend(settings_.config.backend_options(), settings_.rule.plan);
  pipeline_ = std::make_unique<Pipeline>(make_pipeline_options(settings_.config, settings_.rule),
                                         *backend_, *store_, collector_);
  pipeline_->tell_verdicts();
}

// A new state takes the settings, an existing one has its rule.
void Session::open_store(const std::vector<std::string>& sets, bool temporary) {
  const bool exists = !temporary && std::filesystem::exists(path_ + "/CURRENT");
  if (!exists) settings_ = settings_of(sets, temporary, {}, warnings_);
  StorageOptions storage = settings_.config.storage;
  if (!temporary && storage.store == StoreName::kMemory)
    throw Failure(Exit::kConfig, "storage.store: memory cannot be kept: leave `path` out");
  storage.path = path_;
  storage.temporary = temporary;
  // What an existing one keeps is not known yet; texts that are not there do no harm.
  if (exists) storage.keep_texts = KeepTexts::kAll;
  store_ = neardup::open_store(storage, OpenMode::kReadWrite);
  if (!exists) return;
  try {
    settings_ = settings_of(sets, temporary, store_->meta(kMetaRule), warnings_);
  } catch (const Failure& failure) {
    throw OtherRule(failure.what());
  }
}

void Session::require_sound() const {
  if (broken_) throw Closed("an earlier call has failed: open the state again");
}

FlagList Session::no_flags(FlagSeq seq) const {
  return {rule_, settings_.rule.decision.threshold, seq};
}

Preparer Session::make_preparer(bool keeps_raw_texts) {
  const Config& config = settings_.config;
  return {settings_.rule, config.cpu.simd,
          std::make_unique<ColumnDecoder>(config.input, config.text), *backend_, keeps_raw_texts};
}

FlagList Session::add(const Columns& columns, const Progress& progress) {
  require_sound();
  FlagList flags = no_flags(FlagSeq::kOwn);
  collector_.flags = &flags;
  ColumnSource source(columns, static_cast<std::uint64_t>(pipeline_->resolver().next_seq()));
  broken_ = true;
  if (are_few(columns)) {
    add_here(source);
  } else {
    std::atomic<bool> stop{false};
    const Config& config = settings_.config;
    const std::uint64_t before = pipeline_->counts().documents();
    pipeline_->run(
        source, [&] { return std::make_unique<ColumnDecoder>(config.input, config.text); }, stop,
        [&](const PipelineCounts& counts) {
          if (!progress(counts.documents() - before)) stop = true;
        });
  }
  broken_ = false;
  return flags;
}

void Session::add_here(ColumnSource& source) {
  if (!source.read(kFewTexts, kFewBytes + 1, chunk_.raw)) return;
  if (!preparer_) {
    preparer_ = std::make_unique<Preparer>(
        make_preparer(settings_.config.storage.keep_texts != KeepTexts::kNone));
  }
  preparer_->prepare(chunk_.raw, chunk_.sketched);
  pipeline_->decide_batch(chunk_);
}

FlagList Session::check(const Columns& columns, const Progress& progress) {
  require_sound();
  FlagList list = no_flags(FlagSeq::kLast);
  const Checker checker(settings_.rule, settings_.config.filter, settings_.config.cpu, false,
                        *store_);
  Preparer preparer = make_preparer(false);
  ColumnSource source(columns, static_cast<std::uint64_t>(pipeline_->resolver().next_seq()));
  RawChunk chunk;
  SketchedBatch batch;
  std::vector<Flag> flags;
  while (progress(list.size()) && source.read(kChecksAtOnce, kCheckedBytes, chunk)) {
    preparer.prepare(chunk, batch);
    flags.clear();
    checker.check(batch, flags);
    for (const Flag& flag : flags) list.add(flag);
  }
  return list;
}

std::string Session::similar(const SearchRequest& request) {
  require_sound();
  const auto& [config, rule] = settings_;
  SearchOptions options = config.search;
  options.engine = request.engine;
  const auto engine = open_engine(options, path_, *store_, rule, {config.cpu, {}, {}});
  return SearchAnswers(*store_, rule, config, config.cpu, [](const NoticeCounts&) {})
      .answer(request, *engine);
}

std::string Session::explain(const ComparedSide& a, const ComparedSide& b,
                             const std::string& name_space) {
  require_sound();
  const Rule& rule = settings_.rule;
  const auto side = [&](const ComparedSide& of, const char* which) {
    if (!of.is_text) return side_of_id(of.value, name_space, *store_);
    if (auto text = side_of_text(which, of.value, rule)) return *std::move(text);
    throw BadInput(std::string(which) + ": the text is larger than text.max_bytes");
  };
  return comparison_json(
      make_comparison(side(a, "a"), side(b, "b"), rule, settings_.config.cpu.simd));
}

std::string Session::groups(std::size_t top) {
  require_sound();
  return groups_json(store_->largest_groups(top));
}

std::string Session::remove(const std::vector<std::string>& ids, const std::string& name_space) {
  require_sound();
  broken_ = true;
  const auto report = delete_documents(path_, name_space, ids, now_ms(), pipeline_->access());
  broken_ = false;
  return delete_report_json(report);
}

std::string Session::stats() {
  require_sound();
  return state_report_json(make_state_report(path_, *store_));
}

}  // namespace neardup
