#include <fmt/core.h>

#include "service/commands/commands.h"
#include "service/human.h"
#include "service/json_object.h"
#include "service/option_values.h"
#include "service/setup.h"
#include "service/state_size.h"

namespace neardup {
namespace {

struct SizeReport {
  double documents = 0;
  bool keep_texts = false;
  TypicalDocument typical;
  std::uint32_t bands = 0;
  DocumentBytes disk;       // of one document
  double hot = 0;           // of one document
  double memory_store = 0;  // of one document
  double storage_memory = 0;
};

SizeReport make_report(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  SizeReport report;
  report.documents = static_cast<double>(
      whole_number(line, "--documents", 1).value_or(config.storage.expected_documents));
  report.keep_texts = config.storage.keep_texts;
  report.bands = rule.plan.bands;
  const DocumentBytes encoded = encoded_bytes(rule, report.keep_texts, report.typical);
  report.disk = disk_bytes(encoded);
  report.hot = hot_bytes(rule, report.disk);
  report.memory_store = memory_store_bytes(encoded, report.typical);
  report.storage_memory = static_cast<double>(config.storage.memory);
  return report;
}

std::string text(const SizeReport& report) {
  std::string out = fmt::format("{:.0f} kept documents\n\nDisk\n", report.documents);
  const auto line = [&](std::string_view part, double each) {
    if (each > 0)
      out += fmt::format("  {:34} {:>10}  {:6.0f} bytes each\n", part,
                         human_bytes(each * report.documents), each);
  };
  line("sketches", report.disk.sketch);
  line("1-bit sketches", report.disk.one_bit);
  line(fmt::format("postings ({} bands, content and id)", report.bands), report.disk.postings);
  line("rest of the rows", report.disk.row);
  line("texts", report.disk.text);
  line("all", report.disk.total());
  out += "\nMemory\n";
  line("filters and block indexes", report.hot);
  const bool fits = report.hot * report.documents <= report.storage_memory;
  out += fmt::format("  storage.memory is {}: {}\n", human_bytes(report.storage_memory),
                     fits ? "they fit into it, the rest caches what is read"
                          : "they do not fit into it, look-ups will read them from disk");
  line("or all, with storage.store: memory", report.memory_store);
  return out;
}

std::string assumptions(const SizeReport& report) {
  return fmt::format(
      "\nAssumed: ids of {} bytes, no namespaces; {}.\n"
      "What RocksDB adds was measured on a compacted state (bench/results/state_size.md). A\n"
      "scan has up to 256 MB of log on top, and compaction holds old and new files for a while.\n"
      "A document that is flagged takes its id row only, {:.0f} bytes. Records and texts at\n"
      "work take memory too, batch.max_bytes at most.\n",
      report.typical.id_bytes,
      report.keep_texts
          ? fmt::format("texts of {} bytes, which zstd takes to 40 %", report.typical.text_bytes)
          : "texts are not kept",
      report.disk.id);
}

std::string json(const SizeReport& report) {
  const auto all = [&](double each) { return static_cast<std::uint64_t>(each * report.documents); };
  const JsonObject disk = JsonObject()
                              .number("sketches", all(report.disk.sketch))
                              .number("one_bit", all(report.disk.one_bit))
                              .number("postings", all(report.disk.postings))
                              .number("rows", all(report.disk.row))
                              .number("texts", all(report.disk.text))
                              .number("all", all(report.disk.total()));
  const JsonObject assumed =
      JsonObject()
          .number("id_bytes", report.typical.id_bytes)
          .number("text_bytes", report.keep_texts ? report.typical.text_bytes : 0);
  return JsonObject()
             .number("documents", all(1))
             .json("disk_bytes", disk.str())
             .number("filter_and_index_bytes", all(report.hot))
             .number("memory_store_bytes", all(report.memory_store))
             .number("storage_memory", static_cast<std::uint64_t>(report.storage_memory))
             .json("assumed", assumed.str())
             .str() +
         '\n';
}

}  // namespace

int run_size(const CommandLine& line) {
  const SizeReport report = make_report(line);
  fmt::print("{}", line.has("--json") ? json(report) : text(report) + assumptions(report));
  return 0;
}

}  // namespace neardup
