#include "config/checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "config/librdkafka_keys.h"
#include "config/read_start.h"
#include "config/secrets.h"
#include "config/suggest.h"
#include "config/values.h"

namespace neardup {
namespace {

constexpr std::uint64_t kLargestPermutation = std::uint64_t{1} << 24;
constexpr std::size_t kMostSeedFileBytes = 64;  // 32 digits and white space

class Checker {
 public:
  Checker(Config& config, Findings& findings) : config_(config), findings_(findings) {}

  void run() {
    seed();
    bands_and_rows();
    minhash_only();
    permutation();
    exact_needs_texts();
  }

 private:
  void seed() {
    if (config_.seed_file.empty()) return;
    if (findings_.given("sketch.seed") || !findings_.sound({"sketch.seed"})) {
      findings_.report({"sketch.seed_file"},
                       "`sketch.seed` and `sketch.seed_file` are both set; keep one");
      return;
    }
    read_seed_file();
  }

  void read_seed_file() {
    const auto bytes = read_start(config_.seed_file, kMostSeedFileBytes);
    if (!bytes) {
      findings_.report({"sketch.seed_file"},
                       fmt::format("seed file {} cannot be read: {}", quote(config_.seed_file),
                                   std::strerror(errno)));
      return;
    }
    std::string_view text(*bytes);
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    const auto seed = parse_seed(text);
    if (seed) {
      config_.sketch.seed = *seed;
    } else {
      findings_.report({"sketch.seed_file"},
                       fmt::format("seed file {} must hold 32 hexadecimal digits and "
                                   "nothing else",
                                   quote(config_.seed_file)));
    }
  }

  void bands_and_rows() {
    if (!findings_.sound({"lsh.bands", "lsh.rows"})) return;
    const auto bands = config_.lsh.bands;
    const auto rows = config_.lsh.rows;
    if ((bands == 0) != (rows == 0)) {
      findings_.report(
          {"lsh.bands", "lsh.rows"},
          fmt::format("`lsh.{}` is set without `lsh.{}`; set both, or none to have them solved "
                      "from `lsh.recall`",
                      bands != 0 ? "bands" : "rows", bands != 0 ? "rows" : "bands"));
    } else if (findings_.sound({"sketch.size"}) &&
               std::uint64_t{bands} * rows > config_.sketch.size) {
      findings_.report(
          {"lsh.bands", "lsh.rows", "sketch.size"},
          fmt::format("`lsh.bands` × `lsh.rows` = {} × {} needs {} values, but `sketch.size` is {}",
                      bands, rows, std::uint64_t{bands} * rows, config_.sketch.size));
    }
  }

  void minhash_only() {
    if (!findings_.sound({"sketch.family"}) || config_.sketch.family == SketchFamily::kMinhash)
      return;
    if (config_.sketch.hash != MinhashHash::k2u) only_with_minhash("sketch.hash");
    if (config_.sketch.universe != 0) only_with_minhash("sketch.universe");
  }

  void only_with_minhash(std::string_view key) {
    findings_.report({key}, fmt::format("`{}` is used with `sketch.family: minhash` only", key));
  }

  void permutation() {
    if (!findings_.sound({"sketch.family", "sketch.hash", "sketch.universe", "sketch.bits"}))
      return;
    const SketchOptions& sketch = config_.sketch;
    if (!is_permutation(sketch)) return;
    if (sketch.universe == 0 || sketch.universe > kLargestPermutation) {
      findings_.report(
          {"sketch.universe", "sketch.hash"},
          fmt::format("`sketch.hash: permutation` needs `sketch.universe` from 2 to {}",
                      kLargestPermutation));
    } else if (sketch.universe < std::uint64_t{1} << (sketch.bits + 4)) {
      // Even a document of one shingle needs D/|S| ≥ 2^(b+4) for the estimator's constants.
      findings_.report(
          {"sketch.universe"},
          fmt::format("`sketch.hash: permutation` with `sketch.bits: {}` needs `sketch.universe` "
                      "of at least {}, and that many times the shingles of a document",
                      sketch.bits, std::uint64_t{1} << (sketch.bits + 4)));
    }
  }

  void exact_needs_texts() {
    if (!findings_.sound({"verify.mode", "storage.keep_texts"})) return;
    if (config_.decision.verify != VerifyMode::kExact) return;
    if (config_.storage.keep_texts != KeepTexts::kNone) return;
    if (config_.storage.temporary && !findings_.given("storage.keep_texts")) {
      config_.storage.keep_texts = KeepTexts::kKept;
    } else {
      findings_.report({"verify.mode"}, "`verify.mode: exact` needs `storage.keep_texts: kept`");
    }
  }

  Config& config_;
  Findings& findings_;
};

// Fields that are given need not be found.
void where_fields_are(Config& config, const CheckOptions& options, Findings& findings) {
  const bool given = findings.given("input.id_field") || findings.given("input.text_field");
  const bool of_service = options.service || options.cluster_command;
  if (options.finds_fields && !of_service && !given && !findings.given("input.id"))
    config.input.id = InputId::kAuto;
  if (config.input.id != InputId::kAuto || !findings.sound({"input.id"})) return;
  if (of_service) {
    findings.report({"input.id"},
                    "`input.id: auto` is for files; messages and bodies have the fields that "
                    "`input.id_field` and `input.text_field` name");
  } else if (given) {
    findings.report({"input.id", "input.id_field", "input.text_field"},
                    "`input.id: auto` finds the fields of ids and texts: leave it out, or "
                    "`input.id_field` and `input.text_field`");
  }
}

}  // namespace

void finish_config(Config& config, const CheckOptions& options, const Origins& origins,
                   Problems& problems, std::vector<std::string>& warnings) {
  Findings findings(origins, problems, warnings);
  Checker(config, findings).run();
  where_fields_are(config, options, findings);
  if (options.cluster_command) {
    check_cluster_command(config, findings);
  } else {
    check_service(config, options, findings);
  }
  check_librdkafka(config.kafka, options.kafka_client, findings);
  if (options.service || options.cluster_command) read_secrets(config.kafka, findings);
  if (options.service) read_tokens(config.http, findings);
  check_kafka_security(config.kafka, options.kafka_client, findings);
}

}  // namespace neardup
