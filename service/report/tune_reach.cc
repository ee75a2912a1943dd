#include <fmt/format.h>

#include <iterator>

#include "pipeline/base/json_object.h"
#include "service/report/tune_report.h"

namespace neardup {

ReachReport make_reach_report(const SearchCase& search) {
  ReachReport report{search, {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.35, 0.3, 0.25, 0.2}, {}};
  report.engines = engine_reaches(search, report.similarities);
  return report;
}

std::string reach_text(const ReachReport& report) {
  const SearchCase& search = report.search;
  std::string out = fmt::format(
      "Chance that a document of similarity J is compared with the query, among {} strangers\n"
      "(sketches of {} values of {} bits; min_similarity {:g}; at most {} candidates)\n\n   J  ",
      search.documents, search.shape.slots, search.shape.bits, search.min_similarity / 1e6,
      search.candidates);
  const auto add = std::back_inserter(out);
  for (const EngineReach& engine : report.engines) fmt::format_to(add, "  {:>8}", engine.engine);
  out += '\n';
  for (std::size_t i = 0; i < report.similarities.size(); ++i) {
    fmt::format_to(add, "  {:.2f}", report.similarities[i]);
    for (const EngineReach& engine : report.engines) {
      fmt::format_to(add, "  {:8.4f}", engine.chances[i]);
    }
    out += '\n';
  }
  out += '\n';
  for (const EngineReach& engine : report.engines) {
    fmt::format_to(add, "{:<6} reads {:.0f} rows of strangers, ", engine.engine, engine.rows);
    fmt::format_to(add, "is complete above {:.3f}, its index takes {:.0f} bytes a document",
                   engine.complete_above, engine.index_bytes);
    fmt::format_to(add, " ({:.1f} GB)\n",
                   engine.index_bytes * static_cast<double>(search.documents) / 1e9);
  }
  out += "\nscan and lsh read what every state has. A state has an index for match or for ewh.\n";
  return out;
}

std::string reach_json(const ReachReport& report) {
  const SearchCase& search = report.search;
  std::string engines;
  for (const EngineReach& engine : report.engines) {
    std::string chances;
    for (std::size_t i = 0; i < report.similarities.size(); ++i) {
      fmt::format_to(std::back_inserter(chances), R"({}{{"jaccard":{:g},"compared":{:.6f}}})",
                     i == 0 ? "" : ",", report.similarities[i], engine.chances[i]);
    }
    JsonObject json;
    json.text("engine", engine.engine).decimals("rows", engine.rows, 1);
    json.decimals("index_bytes_per_document", engine.index_bytes, 1);
    json.decimals("complete_above", engine.complete_above, 3).json("reach", '[' + chances + ']');
    engines += (engines.empty() ? "" : ",") + json.str();
  }
  JsonObject json;
  json.number("documents", search.documents).number("sketch_size", search.shape.slots);
  json.number("sketch_bits", search.shape.bits).number("keywords", search.keywords);
  json.number("candidates", search.candidates);
  json.decimals("min_similarity", search.min_similarity / 1e6, 3)
      .json("engines", '[' + engines + ']');
  return json.str() + '\n';
}

}  // namespace neardup
