#include "pipeline/retention/migrate.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/retention/retention.h"
#include "pipeline/rule/index_entry.h"
#include "pipeline/state_keys.h"
#include "storage/stores.h"

namespace neardup {
namespace {

constexpr std::size_t kAgesAtOnce = 4096;

// `rule`, with the settings that a migration may change taken from `stored`.
Rule like_stored(Rule rule, const Rule& stored) {
  rule.text_model = stored.text_model;
  rule.decision.threshold = stored.decision.threshold;
  rule.plan.bands = stored.plan.bands;
  rule.plan.rows = stored.plan.rows;
  rule.bucket_cap = stored.bucket_cap;
  rule.retention = stored.retention;
  return rule;
}

// The sum over the live documents.
std::uint64_t text_bytes(Store& store) {
  std::uint64_t sum = 0;
  std::vector<Age> ages;
  Seq from = 0;
  do {
    store.ages(from, kAgesAtOnce, ages);
    for (const Age& age : ages) sum += age.text_bytes;
    if (!ages.empty()) from = ages.back().seq + 1;
  } while (ages.size() == kAgesAtOnce);
  return sum;
}

}  // namespace

bool Migration::needed() const { return old_format || rule_text(from) != rule_text(to); }

Migration plan_migration(Store& store, const Rule& rule) {
  const auto text = store.meta(kMetaRule);
  if (!text) {
    throw Failure(
        Exit::kUnavailable,
        "nothing was scanned into this state yet: it accepts any rule without a migration");
  }
  const std::optional<Rule> stored = parse_rule(*text);
  const std::string wanted = rule_text(stored ? like_stored(rule, *stored) : rule);
  if (wanted != *text) {
    throw Failure(
        Exit::kConfig,
        fmt::format("only threshold, lsh and retention can be changed; these differ, too:{}\n"
                    "Use the configuration of the state with other values for those.",
                    rule_difference(*text, wanted)));
  }
  return {like_stored(rule, *stored), rule, !has_current_format(store)};
}

std::uint64_t migrate(Store& store, const Migration& migration,
                      const std::function<void(Seq)>& progress) {
  const bool counts_bytes = migration.to.retention.max_bytes != 0;
  WriteSet writes;
  writes.meta = {
      {std::string(kMetaRule), rule_text(migration.to)},
      {std::string(kMetaTextBytes), counts_bytes ? fmt::to_string(text_bytes(store)) : ""}};
  if (!migration.rebuilds()) {
    store.commit(writes);
    return 0;
  }
  std::uint64_t indexed = 0;
  const IndexEntryMaker make(migration.to.plan);
  store.rebuild_index(
      [&](const DocumentRow& row) {
        ++indexed;
        return make(row);
      },
      writes.meta, progress);
  return indexed;
}

}  // namespace neardup
