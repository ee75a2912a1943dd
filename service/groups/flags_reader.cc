#include "service/groups/flags_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/core/failure.h"
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

Mistake read_document(element record, Status status, FlagLine& flag) {
  if (!get_seq(record, "seq", flag.seq)) return "it has no seq";
  if (!get_text(record, "id", flag.id)) return "it has no id";
  get_text(record, "namespace", flag.name_space);
  flag.deleted = status == Status::kDeleted;
  if (status != Status::kExactDuplicate && status != Status::kNearDuplicate) return "";
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

}  // namespace

struct FlagsReader::Parser {
  simdjson::dom::parser json;
};

FlagsReader::FlagsReader(const std::vector<std::string>& paths, const std::atomic<bool>& stop)
    : paths_(paths),
      source_(paths, {}, {.max_record_bytes = kLongestFlag, .stop = &stop}),
      parser_(std::make_unique<Parser>()) {}

FlagsReader::~FlagsReader() = default;

bool FlagsReader::next(FlagLine& flag) {
  while (true) {
    if (at_ == chunk_.records.size()) {
      at_ = 0;
      if (!source_.read(kFlagsAtOnce, kBytesAtOnce, chunk_)) return false;
    }
    if (take(chunk_.records[at_++], flag)) return true;
  }
}

// False: the flag changes no document.
bool FlagsReader::take(const RawRecord& record, FlagLine& flag) {
  flag = {};
  Status status{};
  element root;
  Mistake mistake = "it is no JSON object";
  if (!record.too_large &&
      parser_->json.parse(record.bytes.data(), record.bytes.size(), false).get(root) ==
          simdjson::SUCCESS) {
    mistake = read_status(root, status);
  }
  const bool changes = status != Status::kUnchanged && status != Status::kRejected;
  if (mistake.empty() && changes) mistake = read_document(root, status, flag);
  if (!mistake.empty()) {
    throw Failure(Exit::kUnreadable,
                  fmt::format("{}, line {}: not a flag of neardup, {}; if the run that writes the "
                              "file was interrupted, the same command completes it",
                              paths_[record.source.input], record.source.place, mistake));
  }
  counts_.input_bytes += record.size;
  ++counts_.by_status[static_cast<std::size_t>(status)];
  if (changes) flag.facts = read_facts(root);
  return changes;
}

}  // namespace neardup
