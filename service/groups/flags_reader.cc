#include "service/groups/flags_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/base/failure.h"
#include "simdjson.h"

namespace neardup {
namespace {

using simdjson::dom::element;

constexpr std::size_t kFlagsAtOnce = 16'384;
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{4} << 20;
constexpr std::uint64_t kLongestFlag = std::uint64_t{1} << 20;  // twice what FlagWriter writes

// Why a line is no flag; empty: it is one.
using Mistake = std::string_view;

bool get_text(element record, std::string_view field, std::string_view& text) {
  return record[field].get(text) == simdjson::SUCCESS && !text.empty();
}

bool get_seq(element record, std::string_view field, Seq& seq) {
  return record[field].get(seq) == simdjson::SUCCESS && seq > 0 && seq <= kMaxSeq;
}

Mistake read_status(element record, Status& status) {
  std::string_view word;
  if (!record.is_object() || !get_text(record, "status", word)) return "it has no status";
  const auto known = std::ranges::find(kStatusNames, word);
  if (known == kStatusNames.end()) return "its status is unknown";
  status = static_cast<Status>(known - kStatusNames.begin());
  return "";
}

bool names_original(Status status) {
  return status == Status::kExactDuplicate || status == Status::kNearDuplicate;
}

Mistake read_document(element record, FlagLine& flag) {
  if (!get_seq(record, "seq", flag.seq)) return "it has no seq";
  const bool has_id = get_text(record, "id", flag.id);
  if (!has_id && flag.status != Status::kRejected) return "it has no id";
  get_text(record, "namespace", flag.name_space);
  if (!names_original(flag.status)) return "";
  const bool named = get_text(record, "duplicate_of", flag.original_id) &&
                     get_seq(record, "duplicate_of_seq", flag.original);
  return named && flag.original < flag.seq ? "" : "it names no earlier original";
}

Facts read_facts(element record) {
  std::string_view url;
  std::uint64_t text_bytes = 0;
  get_text(record, "url", url);
  if (record["text_bytes"].get(text_bytes) != simdjson::SUCCESS) text_bytes = 0;
  return facts_of(url, text_bytes);
}

bool get_ppm(element record, std::string_view field, Ppm& ppm) {
  double value = -1;
  if (record[field].get(value) != simdjson::SUCCESS || value < 0 || value > 1) return false;
  ppm = static_cast<Ppm>(std::lround(value * kOne));
  return true;
}

Mistake read_source(element record, FlagEvidence& evidence) {
  element source;
  if (record["source"].get(source) != simdjson::SUCCESS || !source.is_object())
    return "it has no source";
  const bool of_file = get_text(source, "file", evidence.source);
  if (!of_file && get_text(source, "topic", evidence.source)) return "";
  return source["line"].get(evidence.source_line) == simdjson::SUCCESS ? ""
                                                                       : "its source has no line";
}

Mistake read_evidence(element record, Status status, FlagEvidence& evidence) {
  if (!get_text(record, "rule", evidence.rule)) return "it has no rule";
  if (!get_ppm(record, "threshold", evidence.threshold)) return "it has no threshold";
  if (names_original(status) && !get_ppm(record, "similarity", evidence.similarity))
    return "it has no similarity";
  return read_source(record, evidence);
}

}  // namespace

struct FlagsReader::Parser {
  simdjson::dom::parser json;
  // Of the flag that `next` gave.
  element root;
  Status status = Status::kUnique;
};

FlagsReader::FlagsReader(const std::vector<std::string>& paths, const std::atomic<bool>& stop)
    : paths_(paths),
      source_(paths, {}, {.max_record_bytes = kLongestFlag, .stop = &stop}),
      parser_(std::make_unique<Parser>()) {}

FlagsReader::~FlagsReader() = default;

bool FlagsReader::next(FlagLine& flag) {
  if (taken_ == chunk_.records.size()) {
    taken_ = 0;
    if (!source_.read(kFlagsAtOnce, kBytesAtOnce, chunk_)) return false;
  }
  ++taken_;
  take(flag);
  return true;
}

void FlagsReader::take(FlagLine& flag) {
  flag = {};
  const RawRecord& record = chunk_.records[taken_ - 1];
  element& root = parser_->root;
  Mistake mistake = "it is not a JSON object";
  if (!record.too_large &&
      parser_->json.parse(record.bytes.data(), record.bytes.size(), false).get(root) ==
          simdjson::SUCCESS) {
    mistake = read_status(root, flag.status);
  }
  if (mistake.empty()) mistake = read_document(root, flag);
  if (!mistake.empty()) refuse(mistake);
  parser_->status = flag.status;
  flag.facts = read_facts(root);
  counts_.input_bytes += record.size;
  ++counts_.by_status[static_cast<std::size_t>(flag.status)];
}

FlagEvidence FlagsReader::evidence() const {
  FlagEvidence evidence{.line = chunk_.records[taken_ - 1].bytes};
  const Mistake mistake = read_evidence(parser_->root, parser_->status, evidence);
  if (!mistake.empty()) refuse(mistake);
  return evidence;
}

std::string FlagsReader::place() const {
  const SourcePosition& at = chunk_.records[taken_ - 1].source;
  return fmt::format("{}, line {}", paths_[at.input], at.place);
}

void FlagsReader::refuse(std::string_view mistake) const {
  throw Failure(Exit::kUnreadable,
                fmt::format("{}: not a flag of neardup, {}; if the run that writes the file was "
                            "interrupted, the same command completes it",
                            place(), mistake));
}

}  // namespace neardup
