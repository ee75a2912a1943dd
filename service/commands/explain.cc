#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>

#include "gpu/backend.h"
#include "gpu/compare.h"
#include "gpu/shingler.h"
#include "pipeline/core/failure.h"
#include "pipeline/estimate.h"
#include "pipeline/exact_sets.h"
#include "pipeline/normalise.h"
#include "pipeline/passages.h"
#include "pipeline/prepare.h"
#include "pipeline/resolve.h"
#include "pipeline/utf8.h"
#include "service/commands/commands.h"
#include "service/setup.h"

namespace neardup {
namespace {

constexpr std::size_t kPassagesShown = 5;
constexpr std::size_t kPassageBytes = 300;
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 16;

// One of the two documents: what is known of it.
struct Side {
  std::string name;
  std::uint32_t tokens = 0;
  std::uint32_t distinct_shingles = 0;
  std::vector<std::uint64_t> sketch;  // empty: none
  std::optional<std::string> text;    // normalised
};

Failure too_large(const std::string& path, std::uint64_t max_bytes) {
  return Failure(
      Exit::kUnreadable,
      fmt::format("{}: larger than text.max_bytes ({}) allows; raise it or split the text", path,
                  max_bytes));
}

std::string read_file(const std::string& path, std::uint64_t max_bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) {
    throw Failure(Exit::kUnreadable,
                  fmt::format("{}: cannot be read as a file; with --state, A and B are ids", path));
  }
  std::string bytes;
  for (std::array<char, kBytesAtOnce> part; in && bytes.size() <= max_bytes;) {
    const std::uint64_t wanted = max_bytes + 1 - bytes.size();
    in.read(part.data(), static_cast<std::streamsize>(std::min(part.size(), wanted)));
    bytes.append(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (bytes.size() > max_bytes) throw too_large(path, max_bytes);
  return bytes;
}

Side side_of_file(const std::string& path, const Rule& rule, Backend& backend) {
  std::string raw;
  replace_invalid_utf8(read_file(path, rule.text.max_bytes), raw);
  std::string normalised;
  const NormalisedText result =
      Normaliser().normalise(raw, most_normalised_bytes(rule.text), normalised);
  if (raw.size() > rule.text.max_bytes || result.too_large) {
    throw too_large(path, rule.text.max_bytes);
  }
  normalised.resize(result.bytes);
  Side side{path, count_units(result, normalised, rule.plan.shingle), 0, {}, normalised};
  if (normalised.empty()) return side;
  TextBatch texts;
  texts.push(normalised);
  const SketchShape shape = rule.plan.shape();
  SketchRows rows{std::vector<std::uint64_t>(shape.sketch_words()),
                  std::vector<std::uint64_t>(shape.one_bit_words()),
                  std::vector<std::uint64_t>(shape.bands),
                  {0}};
  const SketchTask task{0, hash_namespace(rule.plan.sketch.seed, "")};
  backend.sketch(texts, {&task, 1}, rows);
  side.sketch = rows.sketches;
  side.distinct_shingles = rows.distinct_shingles.front();
  return side;
}

// Of a flagged document only the verdict is stored; it is told, with what to do for more.
[[noreturn]] void refuse_flagged(const std::string& id, const IdRow& row, Store& store) {
  if (row.kept) throw Failure(Exit::kUsage, fmt::format("{}: has no tokens", id));
  std::vector<std::optional<DocumentRow>> rows;
  store.documents({&row.original, 1}, rows);
  const std::string original = rows.front() ? rows.front()->id : "a document that is gone";
  throw Failure(Exit::kUsage,
                fmt::format("{}: was flagged as a copy of {} (seq {}), similarity {:.3f}; nothing "
                            "else of it is kept. Compare the two texts as files, or keep all with "
                            "against: all",
                            id, original, row.original, row.similarity / 1e6));
}

Side side_of_id(const std::string& id, const std::string& name_space, Store& store) {
  const IdKey key{name_space, id};
  std::vector<std::optional<IdRow>> ids;
  store.ids({&key, 1}, ids);
  if (!ids.front()) throw Failure(Exit::kUsage, fmt::format("{}: the state has no such id", id));
  if (!ids.front()->has_document) refuse_flagged(id, *ids.front(), store);
  std::vector<std::optional<DocumentRow>> rows;
  store.documents({&ids.front()->seq, 1}, rows);
  if (!rows.front())
    throw Failure(Exit::kInternal, fmt::format("{}: its document row is missing", id));
  const DocumentRow& row = *rows.front();
  return {id, row.tokens, row.distinct_shingles, row.sketch, store.text(row.seq)};
}

void print_exact(const Side& a, const Side& b, const Rule& rule) {
  if (!a.text || !b.text) {
    fmt::print("exact Jaccard    not known: the state does not keep texts (storage.keep_texts)\n");
    return;
  }
  if (a.text->empty() || b.text->empty()) {
    fmt::print("exact Jaccard    none: a text without tokens has no similarity\n");
    return;
  }
  Shingler shingler(rule.plan.shingle, rule.plan.sketch.seed, SimdLevel::kAuto);
  const Overlap found = overlap(shingler.sorted_set(*a.text), shingler.sorted_set(*b.text));
  const bool reaches = found.common * kOne >= std::uint64_t{rule.decision.threshold} * found.all;
  fmt::print("exact Jaccard    {}.{:03}   {} of {} different shingles are shared{}\n",
             found.common / found.all, found.common * 1000 / found.all % 1000, found.common,
             found.all, *a.text == *b.text ? "; the normalised texts are equal" : "");
  fmt::print("threshold        {:.3f}   {}\n", rule.decision.threshold / 1e6,
             reaches ? "reached" : "not reached");
}

void print_estimate(const Side& a, const Side& b, const Rule& rule) {
  if (a.sketch.empty() || b.sketch.empty()) {
    fmt::print("estimate         none: a side is too short for a sketch\n");
    return;
  }
  const Estimator estimator(rule.plan, rule.decision.threshold);
  const SketchComparer comparer(rule.plan.shape(), {});
  const std::uint32_t count = comparer.equal_values(a.sketch.data(), b.sketch.data());
  const SetSizes sizes{a.distinct_shingles, b.distinct_shingles};
  const Estimate e = estimator.estimate(count, sizes);
  fmt::print(
      "estimate         {:.3f}   95 %: {:.3f} to {:.3f}; {} of {} sketch values are equal, {} are "
      "needed\n",
      e.similarity / 1e6, e.low / 1e6, e.high / 1e6, count, rule.plan.sketch.size,
      estimator.decision_count(sizes));
  const std::uint32_t hit = comparer.bands_hit(a.sketch.data(), b.sketch.data());
  fmt::print("buckets shared   {} of {}{}\n", hit, rule.plan.bands,
             hit == 0 ? "   the index would not bring this pair together" : "");
}

void print_passages(const char* title, const std::vector<Passage>& passages) {
  if (passages.empty()) return;
  fmt::print("\n{}\n", title);
  for (std::size_t i = 0; i < std::min(kPassagesShown, passages.size()); ++i) {
    std::string_view text = passages[i].text;
    const bool cut = text.size() > kPassageBytes;
    if (cut) text = text.substr(0, std::max(text.rfind(' ', kPassageBytes), std::size_t{1}));
    fmt::print("  {:>6}  {}{}\n", passages[i].units, text, cut ? " …" : "");
  }
  if (passages.size() > kPassagesShown)
    fmt::print("          and {} shorter ones\n", passages.size() - kPassagesShown);
}

void print(const Side& a, const Side& b, const Rule& rule) {
  const char* unit = rule.plan.shingle.unit == ShingleUnit::kWord ? "tokens" : "code points";
  fmt::print("A  {}   {} {}\nB  {}   {} {}\n\n", a.name, a.tokens, unit, b.name, b.tokens, unit);
  print_exact(a, b, rule);
  print_estimate(a, b, rule);
  if (!a.text || !b.text || a.text->empty() || b.text->empty()) return;
  const Passages passages = compare_passages(*a.text, *b.text, rule.plan.shingle);
  print_passages(fmt::format("shared, longest first ({})", unit).c_str(), passages.shared);
  print_passages("only in A", passages.only_a);
  print_passages("only in B", passages.only_b);
}

Rule rule_of_state(Store& store) {
  const auto rule = parse_rule(store.meta(kMetaRule).value_or(""));
  if (!rule)
    throw Failure(Exit::kUnavailable, "the state holds no rule: nothing was scanned into it yet");
  return *rule;
}

}  // namespace

int run_explain(const CommandLine& line) {
  const std::string a = *line.one("A");
  const std::string b = *line.one("B");
  if (line.has("--state")) {
    const auto store = open_existing_state(line, OpenMode::kReadOnly);
    const std::string name_space = line.one("--namespace").value_or("");
    print(side_of_id(a, name_space, *store), side_of_id(b, name_space, *store),
          rule_of_state(*store));
    return 0;
  }
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  const auto backend = make_backend(config.backend, config.cpu, rule.plan);
  print(side_of_file(a, rule, *backend), side_of_file(b, rule, *backend), rule);
  return 0;
}

}  // namespace neardup
