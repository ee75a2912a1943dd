#include "service/state/state_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/base/json_object.h"
#include "pipeline/base/quantities.h"
#include "pipeline/retention/delete_log.h"
#include "pipeline/retention/retention.h"
#include "pipeline/rule/rule.h"
#include "pipeline/state_keys.h"

namespace neardup {
namespace {

std::string indented(std::string_view lines) {
  std::string out = "  ";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += lines[i];
    if (lines[i] == '\n' && i + 1 < lines.size()) out += "  ";
  }
  return out;
}

std::string inputs_json(const std::vector<StateReport::Input>& inputs) {
  std::string out;
  for (const auto& [path, position] : inputs) {
    out += out.empty() ? "" : ",";
    out += JsonObject()
               .text("path", path)
               .number("bytes", position.at.bytes)
               .number("lines", position.at.lines)
               .boolean("read_to_end", !position.half_read())
               .str();
  }
  return '[' + out + ']';
}

}  // namespace

std::string rule_json(std::string_view rule) {
  JsonObject object;
  while (!rule.empty()) {
    const std::size_t end = std::min(rule.find('\n'), rule.size());
    const std::string_view line = rule.substr(0, end);
    const std::size_t colon = line.find(": ");
    if (colon != line.npos) object.text(line.substr(0, colon), line.substr(colon + 2));
    rule.remove_prefix(std::min(end + 1, rule.size()));
  }
  return object.str();
}

StateReport make_state_report(const std::string& path, Store& store) {
  StateReport report;
  report.path = path;
  report.uuid = store.meta("uuid").value_or("");
  report.size = store.size();
  report.keywords = stored_keywords(keyword_index_directory(path));
  report.rule = store.meta(kMetaRule).value_or("");
  report.next_seq = meta_number(store, kMetaNextSeq, 1);
  report.stream_time_ms = meta_number(store, kMetaStreamTime, 0);
  report.expired_before = meta_number(store, kMetaExpiredBefore, 0);
  report.deletes = static_cast<std::uint64_t>(meta_number(store, kMetaDeleteCount, 0));
  for (const auto& [key, value] : store.meta_with_prefix(kInputPrefix)) {
    report.inputs.push_back({key.substr(kInputPrefix.size()), parse_position(key, value)});
  }
  return report;
}

std::string state_report_text(const StateReport& report) {
  const auto bytes = static_cast<double>(report.size.disk_bytes);
  std::string out =
      fmt::format("state        {}   (format {}, {})\n", report.path, kFormatVersion, report.uuid);
  out += fmt::format("documents    {}\nids          {}\npostings     {}   (an estimate)\n",
                     report.size.documents, report.size.ids, report.size.postings);
  out += fmt::format("disk         {}\nnext seq     {}\nstream time  {}\n", human_bytes(bytes),
                     report.next_seq,
                     report.stream_time_ms == 0 ? "none" : human_time(report.stream_time_ms));
  if (report.keywords.segments != 0) {
    out += fmt::format("keywords     {} in {} segments, {} a document   (for `similar`)\n",
                       human_bytes(static_cast<double>(report.keywords.bytes)),
                       report.keywords.segments, report.keywords.kind.keywords);
  }
  if (report.deletes != 0) out += fmt::format("deleted      {}   (by command)\n", report.deletes);
  if (report.expired_before != 0)
    out += fmt::format("forgotten    all before seq {}\n", report.expired_before);
  if (!report.inputs.empty()) out += "inputs\n";
  for (const auto& [path, position] : report.inputs) {
    out +=
        fmt::format("  {}   {} bytes, {} lines; {}\n", path, position.at.bytes, position.at.lines,
                    position.half_read() ? "not read to its end yet" : "read to its end");
  }
  if (report.rule.empty()) return out + "rule         none: nothing was scanned into it yet\n";
  return out + fmt::format("rule         {}\n", rule_fingerprint(report.rule)) +
         indented(report.rule);
}

std::string state_report_json(const StateReport& report) {
  JsonObject object;
  object.text("state", report.path).text("uuid", report.uuid).number("format", kFormatVersion);
  object.number("documents", report.size.documents).number("ids", report.size.ids);
  object.number("postings", report.size.postings).number("disk_bytes", report.size.disk_bytes);
  object.number("keyword_segments", report.keywords.segments);
  object.number("keyword_bytes", report.keywords.bytes);
  object.number("deleted_by_command", report.deletes);
  object.number("next_seq", report.next_seq).number("stream_time_ms", report.stream_time_ms);
  object.number("expired_before", report.expired_before);
  object.text("rule", report.rule.empty() ? "" : rule_fingerprint(report.rule));
  object.json("rule_text", rule_json(report.rule)).json("inputs", inputs_json(report.inputs));
  return object.str() + '\n';
}

}  // namespace neardup
