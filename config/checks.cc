#include "config/checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "config/read_start.h"
#include "config/suggest.h"
#include "config/values.h"

namespace neardup {
namespace {

constexpr std::uint64_t kLargestPermutation = std::uint64_t{1} << 24;
constexpr std::size_t kMostSeedFileBytes = 64;  // 32 digits and white space

class Checker {
 public:
  Checker(Config& config, const Origins& origins, Problems& problems)
      : config_(config), origins_(origins), problems_(problems) {}

  void run() {
    seed();
    bands_and_rows();
    minhash_only();
    permutation();
    exact_needs_texts();
  }

 private:
  bool given(std::string_view key) const { return origins_.given.contains(key); }

  // Were all of these keys read without a problem?
  bool sound(std::initializer_list<std::string_view> keys) const {
    return std::ranges::none_of(keys, [&](auto key) { return origins_.broken.contains(key); });
  }

  // Reports at the first of `keys` that was given.
  void report(std::initializer_list<std::string_view> keys, std::string_view message) {
    const auto key = std::ranges::find_if(keys, [&](auto k) { return given(k); });
    problems_.add(key == keys.end() ? "configuration" : origins_.given.at(*key), message);
  }

  void seed() {
    if (config_.seed_file.empty()) return;
    if (given("sketch.seed") || !sound({"sketch.seed"})) {
      report({"sketch.seed_file"}, "`sketch.seed` and `sketch.seed_file` are both set; keep one");
      return;
    }
    read_seed_file();
  }

  void read_seed_file() {
    const auto bytes = read_start(config_.seed_file, kMostSeedFileBytes);
    if (!bytes) {
      report({"sketch.seed_file"}, fmt::format("seed file {} cannot be read: {}",
                                               quote(config_.seed_file), std::strerror(errno)));
      return;
    }
    std::string_view text(*bytes);
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    const auto seed = parse_seed(text);
    if (seed) {
      config_.sketch.seed = *seed;
    } else {
      report({"sketch.seed_file"}, fmt::format("seed file {} must hold 32 hexadecimal digits and "
                                               "nothing else",
                                               quote(config_.seed_file)));
    }
  }

  void bands_and_rows() {
    if (!sound({"lsh.bands", "lsh.rows"})) return;
    const auto bands = config_.lsh.bands;
    const auto rows = config_.lsh.rows;
    if ((bands == 0) != (rows == 0)) {
      report({"lsh.bands", "lsh.rows"},
             fmt::format("`lsh.{}` is set without `lsh.{}`; set both, or none to have them solved "
                         "from `lsh.recall`",
                         bands != 0 ? "bands" : "rows", bands != 0 ? "rows" : "bands"));
    } else if (sound({"sketch.size"}) && std::uint64_t{bands} * rows > config_.sketch.size) {
      report(
          {"lsh.bands", "lsh.rows", "sketch.size"},
          fmt::format("`lsh.bands` × `lsh.rows` = {} × {} needs {} values, but `sketch.size` is {}",
                      bands, rows, std::uint64_t{bands} * rows, config_.sketch.size));
    }
  }

  void minhash_only() {
    if (!sound({"sketch.family"}) || config_.sketch.family == SketchFamily::kMinhash) return;
    if (config_.sketch.hash != MinhashHash::k2u) only_with_minhash("sketch.hash");
    if (config_.sketch.universe != 0) only_with_minhash("sketch.universe");
  }

  void only_with_minhash(std::string_view key) {
    report({key}, fmt::format("`{}` is used with `sketch.family: minhash` only", key));
  }

  void permutation() {
    if (!sound({"sketch.family", "sketch.hash", "sketch.universe", "sketch.bits"})) return;
    const SketchOptions& sketch = config_.sketch;
    if (sketch.family != SketchFamily::kMinhash || sketch.hash != MinhashHash::kPermutation) return;
    if (sketch.universe == 0 || sketch.universe > kLargestPermutation) {
      report({"sketch.universe", "sketch.hash"},
             fmt::format("`sketch.hash: permutation` needs `sketch.universe` from 2 to {}",
                         kLargestPermutation));
    } else if (sketch.universe < std::uint64_t{1} << (sketch.bits + 4)) {
      // Even a document of one shingle needs D/|S| ≥ 2^(b+4) for the estimator's constants.
      report(
          {"sketch.universe"},
          fmt::format("`sketch.hash: permutation` with `sketch.bits: {}` needs `sketch.universe` "
                      "of at least {}, and that many times the shingles of a document",
                      sketch.bits, std::uint64_t{1} << (sketch.bits + 4)));
    }
  }

  void exact_needs_texts() {
    if (!sound({"verify.mode", "storage.keep_texts"})) return;
    if (config_.decision.verify != VerifyMode::kExact || config_.storage.keep_texts) return;
    if (config_.storage.temporary && !given("storage.keep_texts")) {
      config_.storage.keep_texts = true;
    } else {
      report({"verify.mode"}, "`verify.mode: exact` needs `storage.keep_texts: true`");
    }
  }

  Config& config_;
  const Origins& origins_;
  Problems& problems_;
};

}  // namespace

void finish_config(Config& config, const Origins& origins, Problems& problems) {
  Checker(config, origins, problems).run();
}

}  // namespace neardup
