#include "pipeline/retention/migrate.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "pipeline/base/json_object.h"
#include "pipeline/base/signals.h"
#include "pipeline/state_keys.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/state/settings.h"
#include "storage/stores.h"

namespace neardup {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kRedraw{200};

// Thrown after SIGINT or SIGTERM.
struct MigrationStopped {};

// The progress of the new index, on stderr if it is a terminal.
class IndexLine {
 public:
  explicit IndexLine(Seq last) : last_(last), terminal_(isatty(STDERR_FILENO) == 1) {}
  ~IndexLine() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  IndexLine(const IndexLine&) = delete;
  IndexLine& operator=(const IndexLine&) = delete;

  // Throws MigrationStopped.
  void reached(Seq seq) {
    if (stop_requested()) throw MigrationStopped();
    const Clock::time_point now = Clock::now();
    if (!terminal_ || now < next_) return;
    next_ = now + kRedraw;
    shown_ = true;
    fmt::print(stderr, "\r\033[Knew index: seq {} of {}, {:.0f} %", seq, last_,
               100.0 * static_cast<double>(seq) / static_cast<double>(last_));
    std::fflush(stderr);
  }

 private:
  Seq last_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_{};
};

struct MigrateSummary {
  std::string state;
  Migration migration;
  std::uint64_t documents = 0;
  std::uint64_t indexed = 0;  // by this run
  double seconds = 0;
};

StorageOptions storage_options(const std::string& state, const Config& config) {
  StorageOptions options;
  options.path = state;
  options.memory = config.storage.memory;
  return options;
}

std::string fingerprint(const Rule& rule) { return rule_fingerprint(rule_text(rule)); }

std::string rule_change(const Migration& migration) {
  const std::string before = fingerprint(migration.from);
  const std::string now = fingerprint(migration.to);
  return before == now ? now + " as before" : now + " instead of " + before;
}

// Describes the change of the index.
std::string index_text(const Migration& migration) {
  const auto& [from, to, old_format] = migration;
  const std::string bands = fmt::format("{} bands of {} rows", to.plan.bands, to.plan.rows);
  if (old_format) {
    return fmt::format("{}; format {} instead of an older one", bands, kFormatVersion);
  }
  if (!migration.rebuilds()) return bands + " as before";
  return fmt::format("{} instead of {} of {}", bands, from.plan.bands, from.plan.rows);
}

// What becomes of documents, where the text model changes.
std::string model_text(const Migration& migration) {
  if (migration.from.text_model == migration.to.text_model) return "";
  return fmt::format(
      "text model {} instead of {}: texts in Thai, Lao, Khmer, Burmese and other scripts without "
      "spaces have other tokens now. Documents with such texts are not found by new ones until "
      "they arrive again; all others are found as before\n",
      migration.to.text_model, migration.from.text_model);
}

std::string text(const MigrateSummary& s) {
  if (!s.migration.needed())
    return fmt::format("{}: its rule is {} already\n", s.state, fingerprint(s.migration.to));
  return fmt::format("{}: {} documents in {:.1f} s; {}; rule {}\n{}", s.state, s.documents,
                     s.seconds, index_text(s.migration), rule_change(s.migration),
                     model_text(s.migration));
}

std::string json(const MigrateSummary& s) {
  const Rule& from = s.migration.from;
  const Rule& to = s.migration.to;
  JsonObject object;
  object.text("state", s.state).number("documents", s.documents).number("indexed", s.indexed);
  object.number("seconds", s.seconds).boolean("changed", s.migration.needed());
  object.number("bands_before", from.plan.bands).number("rows_before", from.plan.rows);
  object.number("bands", to.plan.bands).number("rows", to.plan.rows);
  object.text("rule_before", fingerprint(from)).text("rule", fingerprint(to));
  object.number("text_model_before", from.text_model).number("text_model", to.text_model);
  return object.str() + '\n';
}

MigrateSummary run(const std::string& state, const Config& config) {
  const Clock::time_point start = Clock::now();
  MigrateSummary summary;
  summary.state = state;
  const StorageOptions options = storage_options(state, config);
  {
    const auto store = open_store(options, OpenMode::kMigrate);
    summary.migration = plan_migration(*store, make_rule(config));
    if (summary.migration.needed()) {
      IndexLine line(static_cast<Seq>(meta_number(*store, kMetaNextSeq, 1)));
      summary.indexed = migrate(*store, summary.migration, [&line](Seq seq) { line.reached(seq); });
    }
  }
  summary.documents = open_store(options, OpenMode::kReadOnly)->size().documents;
  summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return summary;
}

}  // namespace

int run_migrate(const CommandLine& line) {
  stop_requested();  // from here on a signal requests the end
  const std::string state = existing_state_path(line);
  try {
    const MigrateSummary summary = run(state, load_configuration(line, ConfigUse::kKeptState));
    fmt::print("{}", line.has("--json") ? json(summary) : text(summary));
    return 0;
  } catch (const MigrationStopped&) {
    fmt::print(stderr, "neardup: stopped; the state is unchanged, the same command continues\n");
    return stop_status();
  }
}

}  // namespace neardup
