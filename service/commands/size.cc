#include <fmt/core.h>

#include <cmath>

#include "pipeline/base/json_object.h"
#include "pipeline/base/quantities.h"
#include "service/cli/option_values.h"
#include "service/cli/setup.h"
#include "service/commands/commands.h"
#include "service/report/state_size.h"
#include "service/search/engines.h"
#include "service/state/settings.h"
#include "storage/memory_plan.h"
#include "storage/similar/segment_format.h"

namespace neardup {
namespace {

struct SizeReport {
  double documents = 0;
  bool keep_texts = false;
  bool all_texts = false;  // of flagged documents, too
  TypicalDocument typical;
  std::uint32_t bands = 0;
  DocumentBytes disk;       // of one document
  double keywords = 0;      // of one document in the index of keywords; 0: there is none
  HotBytes hot;             // of one document
  double memory_store = 0;  // of one document
  double storage_memory = 0;
  MemoryShare share;
};

SizeReport make_report(const CommandLine& line) {
  const Config config = load_configuration(line, ConfigUse::kTemporaryState);
  const Rule rule = make_rule(config);
  SizeReport report;
  report.documents = static_cast<double>(
      whole_number(line, "--documents", 1).value_or(config.storage.expected_documents));
  report.keep_texts = config.storage.keep_texts != KeepTexts::kNone;
  report.all_texts = config.storage.keep_texts == KeepTexts::kAll;
  report.bands = rule.plan.bands;
  const DocumentBytes encoded = encoded_bytes(rule, report.keep_texts, report.typical);
  report.disk = disk_bytes(encoded);
  report.hot = hot_bytes(rule, report.disk);
  if (config.search.index == KeywordIndexMode::kOn) {
    report.keywords =
        keyword_bytes(indexed_search(config.search, rule.plan.shape()).keywords.count());
  }
  report.memory_store = memory_store_bytes(encoded, report.typical);
  report.storage_memory = static_cast<double>(config.storage.memory);
  report.share =
      share_memory({report.documents, report.bands, report.hot.one_bit}, config.storage.memory);
  return report;
}

std::string share_text(const SizeReport& report) {
  const MemoryShare& share = report.share;
  std::string out = fmt::format("  storage.memory is {}: ", human_bytes(report.storage_memory));
  if (share.all_fits) {
    out += "they fit into it\n";
  } else {
    out += fmt::format(
        "they do not fit into it\n"
        "    filters get {:.1f} of {} bits a posting{}\n"
        "    1-bit sketches of the latest {:.0f} % of the documents\n"
        "    {:.1f} pages are read for each document and of no use\n",
        share.filter_bits, kMostFilterBits,
        share.filtered < 1 ? fmt::format(", the oldest {:.0f} % none", 100 * (1 - share.filtered))
                           : "",
        100 * share.one_bit_share, share.wasted_pages);
  }
  return out + fmt::format("  the index then takes about {:.0f} documents a CPU second\n",
                           100 * std::ceil(share.documents_per_cpu_second / 100));
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
  line("keywords (similar.index)", report.keywords);
  line("all", report.disk.total() + report.keywords);
  out += "\nMemory\n";
  line("filters", report.hot.filters);
  line("1-bit sketches", report.hot.one_bit);
  line("block indexes", report.hot.block_indexes);
  out += share_text(report);
  line("or all, with storage.store: memory", report.memory_store);
  return out;
}

std::string assumptions(const SizeReport& report) {
  return fmt::format(
      "\nAssumed: ids of {} bytes, no namespaces; {}.\n"
      "What RocksDB adds was measured on a compacted state, the rate is a rule of thumb for one\n"
      "core (bench/results/state_size.md). The log takes up to 64 MiB more disk, and merging "
      "holds\n"
      "old and new files for a while. A document that is flagged takes {:.0f} bytes{}.\n"
      "In-flight records and texts also take memory, at most batch.max_bytes.\n",
      report.typical.id_bytes,
      report.keep_texts
          ? fmt::format("texts of {:.0f} bytes, {} when normalised, of which zstd stores {:.0f}",
                        kRawFactor * report.typical.text_bytes, report.typical.text_bytes,
                        kTextFactor * report.typical.text_bytes)
          : "texts are not kept",
      report.disk.id + report.disk.copy, report.all_texts ? ", and those of its text" : "");
}

std::string json(const SizeReport& report) {
  const auto all = [&](double each) { return static_cast<std::uint64_t>(each * report.documents); };
  const JsonObject disk = JsonObject()
                              .number("sketches", all(report.disk.sketch))
                              .number("one_bit", all(report.disk.one_bit))
                              .number("postings", all(report.disk.postings))
                              .number("rows", all(report.disk.row))
                              .number("texts", all(report.disk.text))
                              .number("keywords", all(report.keywords))
                              .number("all", all(report.disk.total() + report.keywords));
  const JsonObject assumed =
      JsonObject()
          .number("id_bytes", report.typical.id_bytes)
          .number("text_bytes", report.keep_texts ? report.typical.text_bytes : 0);
  const JsonObject share =
      JsonObject()
          .number("filter_bits", report.share.filter_bits)
          .number("filtered", report.share.filtered)
          .number("one_bit", report.share.one_bit_share)
          .number("wasted_pages", report.share.wasted_pages)
          .number("documents_per_cpu_second", report.share.documents_per_cpu_second);
  return JsonObject()
             .number("documents", all(1))
             .json("disk_bytes", disk.str())
             .number("filter_and_index_bytes", all(report.hot.filters + report.hot.block_indexes))
             .number("one_bit_bytes", all(report.hot.one_bit))
             .number("memory_store_bytes", all(report.memory_store))
             .number("storage_memory", static_cast<std::uint64_t>(report.storage_memory))
             .json("with_storage_memory", share.str())
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
