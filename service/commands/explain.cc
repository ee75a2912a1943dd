#include <fmt/core.h>

#include "gpu/backend.h"
#include "gpu/backends.h"
#include "gpu/keys.h"
#include "pipeline/core/failure.h"
#include "pipeline/prepare.h"
#include "pipeline/text/normalise.h"
#include "pipeline/text/utf8.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/control/client.h"
#include "service/file/text_file.h"
#include "service/state/comparison.h"

namespace neardup {
namespace {

Side side_of_file(const std::string& path, const Rule& rule, Backend& backend) {
  std::string raw;
  replace_invalid_utf8(read_text_file(path, rule.text.max_bytes, "; with --state, A and B are ids"),
                       raw);
  std::string normalised;
  const NormalisedText result =
      Normaliser().normalise(raw, most_normalised_bytes(rule.text), normalised);
  if (raw.size() > rule.text.max_bytes || result.too_large) {
    throw text_too_large(path, rule.text.max_bytes);
  }
  normalised.resize(result.bytes);
  Side side{path, count_units(result, normalised, rule.plan.shingle), 0, {}, normalised};
  if (normalised.empty()) return side;
  TextBatch texts;
  texts.push(normalised);
  SketchRows rows(rule.plan.shape(), 1);
  const SketchTask task{0, hash_namespace(rule.plan.sketch.seed, "")};
  backend.sketch(texts, {&task, 1}, rows);
  side.sketch = rows.sketches;
  side.distinct_shingles = rows.distinct_shingles.front();
  return side;
}

std::string explain_ids(const CommandLine& line) {
  const std::string state = existing_state_path(line);
  const std::string name_space = line.one("--namespace").value_or("");
  const std::string a = *line.one("A");
  const std::string b = *line.one("B");
  if (const auto text = ask_about_ids(state, name_space, a, b)) return *text;
  const auto store = open_existing_state(line, OpenMode::kReadOnly);
  return comparison_text(compare_ids(name_space, a, b, *store));
}

std::string explain_files(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  const auto backend = make_backend(config.backend_options(), rule.plan);
  return comparison_text({side_of_file(*line.one("A"), rule, *backend),
                          side_of_file(*line.one("B"), rule, *backend), rule});
}

}  // namespace

int run_explain(const CommandLine& line) {
  fmt::print("{}", line.has("--state") ? explain_ids(line) : explain_files(line));
  return 0;
}

}  // namespace neardup
