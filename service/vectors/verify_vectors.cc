#include "service/vectors/verify_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "gpu/backend.h"
#include "gpu/backends.h"
#include "gpu/cpu/shingler.h"
#include "gpu/cpu/simd_level.h"
#include "gpu/cpu/sketcher.h"
#include "gpu/hd/arithmetic.h"
#include "gpu/keys.h"
#include "gpu/options.h"
#include "pipeline/base/failure.h"
#include "pipeline/rule/estimate.h"
#include "pipeline/text/normalise.h"
#include "service/vectors/vector_case.h"

namespace neardup {
namespace {

constexpr std::size_t kMostExpansion = 4;  // of a text by normalisation

using Texts = std::map<std::string, std::string, std::less<>>;

Texts read_texts(Json sketch_file) {
  Texts texts;
  for (Json text : sketch_file["texts"].get_array()) {
    texts.emplace(text["name"].get_string().value(), text["text"].get_string().value());
  }
  return texts;
}

std::string_view find_text(const Texts& texts, Json name) {
  const auto found = texts.find(name.get_string().value());
  if (found == texts.end()) throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
  return found->second;
}

template <class Enum>
Enum read_enum(Json value) {
  const auto words = names(Enum{});
  const auto found = std::find(words.begin(), words.end(), value.get_string().value());
  if (found == words.end()) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
  return static_cast<Enum>(found - words.begin());
}

std::uint64_t count_distinct(std::span<const std::uint64_t> elements, std::uint64_t universe) {
  std::vector<std::uint64_t> set(elements.begin(), elements.end());
  for (std::uint64_t& x : set) x = universe == 0 ? x : x % universe;
  std::sort(set.begin(), set.end());
  return static_cast<std::uint64_t>(std::unique(set.begin(), set.end()) - set.begin());
}

SketchPlan read_plan(Json item) {
  SketchPlan plan;
  plan.shingle = {read_enum<ShingleUnit>(item["unit"]), read_small(item["size"])};
  plan.sketch.family = read_enum<SketchFamily>(item["family"]);
  if (plan.sketch.family == SketchFamily::kMinhash) {
    plan.sketch.hash = read_enum<MinhashHash>(item["hash"]);
  }
  plan.sketch.universe = read_number(item["universe"]);
  plan.sketch.size = read_small(item["slots"]);
  plan.sketch.bits = read_small(item["bits"]);
  plan.sketch.seed = read_seed(item["seed"]);
  plan.bands = read_small(item["bands"]);
  plan.rows = read_small(item["rows"]);
  return plan;
}

std::string sketch_name(Json item, const SketchPlan& plan) {
  return fmt::format("sketch of {}: {} {}, {} × {} bits, universe {}",
                     item["text"].get_string().value(), item["family"].get_string().value(),
                     item["hash"].get_string().value(), plan.sketch.size, plan.sketch.bits,
                     plan.sketch.universe);
}

// Checks the row that a backend computes for a text, in both namespaces.
void verify_row(Json item, const SketchPlan& plan, const TextBatch& batch, Backend& backend,
                VectorCase& one) {
  SketchRows rows(plan.shape(), 1);
  const SketchTask in_news{0, hash_namespace(plan.sketch.seed, "news")};
  backend.sketch(batch, {&in_news, 1}, rows);
  one.check_list("keys_news", item["keys_news"], rows.band_keys);
  const SketchTask in_none{0, hash_namespace(plan.sketch.seed, "")};
  backend.sketch(batch, {&in_none, 1}, rows);
  one.check_list("keys", item["keys"], rows.band_keys);
  one.check_list("sketch", item["sketch"], rows.sketches);
  one.check_list("one_bit", item["one_bit"], rows.one_bits);
  if (rows.distinct_shingles[0] != 0) {
    one.check("counted distinct", read_number(item["distinct"]), rows.distinct_shingles[0]);
  }
}

class Verifier {
 public:
  Verifier(SimdLevel level, VectorReport& report) : level_(level), report_(report) {}

  void verify_hash_file(Json file, const Texts& texts) {
    for (Json item : file["mix64"].get_array()) {
      VectorCase one(report_, "mix64");
      one.check("mix64", read_hex(item.at(1)), hd::mix64(read_hex(item.at(0))));
    }
    for (Json item : file["fold"].get_array()) {
      VectorCase one(report_, "fold");
      one.check("fold", read_hex(item.at(2)), hd::fold(read_hex(item.at(0)), read_hex(item.at(1))));
    }
    for (Json item : file["derive"].get_array()) verify_derive(item);
    for (Json item : file["token_hash"].get_array()) verify_token_hash(item);
    for (Json item : file["elements"].get_array()) verify_elements(item, texts);
  }

  void verify_sketch_file(Json file, const Texts& texts) {
    for (Json item : file["sketches"].get_array())
      verify_sketch(item, find_text(texts, item["text"]));
  }

  void verify_estimate_file(Json file) {
    SketchOptions sketch;
    for (Json item : file["even"].get_array()) verify_estimate(item, sketch, {});
    sketch.family = SketchFamily::kMinhash;
    sketch.hash = MinhashHash::kPermutation;
    for (Json item : file["permutation"].get_array()) {
      sketch.universe = read_number(item["universe"]);
      verify_estimate(item, sketch, {read_small(item["size1"]), read_small(item["size2"])});
    }
  }

  void verify_text_file(Json file) {
    for (Json item : file["normalised"].get_array()) verify_text(item);
  }

 private:
  void verify_text(Json item) {
    const std::string_view raw = item["raw"].get_string();
    std::string out;
    Normaliser normaliser(level_, read_enum<TextFold>(item["fold"]));
    const NormalisedText found = normaliser.normalise(raw, kMostExpansion * raw.size(), out);
    out.resize(found.bytes);
    VectorCase one(report_, fmt::format("text \"{}\"", raw));
    one.check_text("normalised", item["text"].get_string(), out);
    const auto spaces = static_cast<std::uint64_t>(std::ranges::count(out, ' '));
    one.check("tokens", out.empty() ? 0 : spaces + 1, found.tokens);
  }

  void verify_derive(Json item) {
    const Seed seed = read_seed(item["seed"]);
    VectorCase one(report_, "derive");
    one.check("value", read_hex(item["value"]),
              hd::derive(seed.s0, seed.s1, read_small(item["label"]), read_small(item["i"])));
  }

  // Checks the hash, computed like that of a namespace, and for a single token the kernel's value.
  void verify_token_hash(Json item) {
    const Seed seed = read_seed(item["seed"]);
    const std::string_view token = item["token"].get_string();
    const std::uint64_t hash = read_hex(item["hash"]);
    VectorCase one(report_, fmt::format("token_hash of \"{}\"", token));
    one.check("hash", hash, hash_namespace(seed, token));
    if (token.empty() || token.find(' ') != token.npos) return;
    TextBatch batch;
    batch.push(token);
    Shingler shingler({ShingleUnit::kWord, 1}, seed, level_);
    one.check("token value", hd::reduce(hash), shingler.elements(batch.text(0))[0]);
  }

  void verify_elements(Json item, const Texts& texts) {
    const ShingleOptions options{read_enum<ShingleUnit>(item["unit"]), read_small(item["size"])};
    Shingler shingler(options, read_seed(item["seed"]), level_);
    TextBatch batch;
    batch.push(find_text(texts, item["text"]));
    const auto elements = shingler.elements(batch.text(0));
    VectorCase one(report_,
                   fmt::format("elements of {}, {} {}", item["text"].get_string().value(),
                               names(options.unit)[static_cast<int>(options.unit)], options.size));
    one.check("count", read_number(item["count"]), elements.size());
    one.check("distinct", read_number(item["distinct"]), count_distinct(elements, 0));
    one.check_digested("elements", item["elements"], item["digest"], elements);
  }

  void verify_sketch(Json item, std::string_view text) {
    const SketchPlan plan = read_plan(item);
    TextBatch batch;
    batch.push(text);
    VectorCase one(report_, sketch_name(item, plan));
    verify_winners(item, plan, batch.text(0), one);
    CpuOptions cpu;
    cpu.simd = level_;
    verify_row(item, plan, batch, *make_backend({BackendName::kCpu, cpu, {}}, plan), one);
  }

  void verify_winners(Json item, const SketchPlan& plan, std::string_view padded, VectorCase& one) {
    Shingler shingler(plan.shingle, plan.sketch.seed, level_);
    Sketcher sketcher(plan, std::make_shared<const SketchKeys>(make_sketch_keys(plan)), level_);
    const auto elements = shingler.elements(padded);
    one.check("distinct", read_number(item["distinct"]),
              count_distinct(elements, plan.sketch.universe));
    one.check_digested("winning", item["winning"], item["winning_digest"],
                       sketcher.winners(elements));
  }

  void verify_estimate(Json item, SketchOptions sketch, SetSizes sizes) {
    sketch.size = read_small(item["k"]);
    sketch.bits = read_small(item["bits"]);
    const std::uint32_t count = read_small(item["count"]);
    VectorCase one(report_,
                   fmt::format("estimate of {} of {}, {} bits", count, sketch.size, sketch.bits));
    SketchPlan plan;
    plan.sketch = sketch;
    one.check("ppm", read_number(item["ppm"]),
              Estimator(plan, kOne / 2).similarity_ppm(count, sizes));
  }

  SimdLevel level_;
  VectorReport& report_;
};

Failure unreadable(const simdjson::simdjson_error& error) {
  return {Exit::kInternal,
          fmt::format("the known-answer vectors cannot be read: {}", error.what())};
}

}  // namespace

VectorReport verify_vectors(const VectorFiles& files, SimdLevel level) {
  VectorReport report;
  Verifier verifier(resolve_simd(level), report);
  try {
    simdjson::dom::parser hash_parser;
    simdjson::dom::parser sketch_parser;
    simdjson::dom::parser estimate_parser;
    simdjson::dom::parser text_parser;
    const Json sketch_file = sketch_parser.parse(files.sketch.data(), files.sketch.size());
    const Texts texts = read_texts(sketch_file);
    verifier.verify_hash_file(hash_parser.parse(files.hash.data(), files.hash.size()), texts);
    verifier.verify_sketch_file(sketch_file, texts);
    verifier.verify_estimate_file(
        estimate_parser.parse(files.estimate.data(), files.estimate.size()));
    verifier.verify_text_file(text_parser.parse(files.text.data(), files.text.size()));
  } catch (const simdjson::simdjson_error& error) {
    throw unreadable(error);
  }
  return report;
}

VectorReport verify_rows(const VectorFiles& files, const MakeBackend& make) {
  VectorReport report;
  try {
    simdjson::dom::parser parser;
    const Json file = parser.parse(files.sketch.data(), files.sketch.size());
    const Texts texts = read_texts(file);
    for (Json item : file["sketches"].get_array()) {
      const SketchPlan plan = read_plan(item);
      TextBatch batch;
      batch.push(find_text(texts, item["text"]));
      VectorCase one(report, sketch_name(item, plan));
      const auto backend = make(plan);
      verify_row(item, plan, batch, *backend, one);
      report.backends += backend->report();
    }
  } catch (const simdjson::simdjson_error& error) {
    throw unreadable(error);
  }
  return report;
}

}  // namespace neardup
