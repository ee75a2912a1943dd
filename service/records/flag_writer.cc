#include "service/records/flag_writer.h"

#include <charconv>

#include "pipeline/base/json_object.h"

namespace neardup {
namespace {

void append_number(std::uint64_t number, std::string& out) {
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// Parts per million with `places` decimals, cut.
void append_decimals(Ppm ppm, int places, std::string& out) {
  append_number(ppm / kOne, out);
  if (places > 0) out.push_back('.');
  for (Ppm unit = kOne / 10; places > 0; --places, unit /= 10) {
    out.push_back(static_cast<char>('0' + ppm / unit % 10));
  }
}

// With as few decimals as are exact: 0.8, 1.
void append_shortest(Ppm ppm, std::string& out) {
  int places = 6;
  for (Ppm rest = ppm; places > 0 && rest % 10 == 0; rest /= 10) --places;
  append_decimals(ppm, places, out);
}

// `head` holds comma, name and colon: ,"similarity":
void append_similarity(std::string_view head, Ppm ppm, std::string& out) {
  out.append(head);
  append_decimals(ppm, 3, out);
}

void append_original(const Original& original, std::string& out) {
  out.append(R"(,"duplicate_of":)");
  append_json_string(original.id, out);
  out.append(R"(,"duplicate_of_seq":)");
  append_number(original.seq, out);
  append_similarity(R"(,"similarity":)", original.similarity, out);
  append_similarity(R"(,"similarity_low":)", original.low, out);
  append_similarity(R"(,"similarity_high":)", original.high, out);
  out.append(R"(,"verified_by":")").append(name(original.verified_by)).append("\"");
  if (original.verified_by == VerifiedBy::kContent) return;
  out.append(R"(,"bands_hit":)");
  append_number(original.bands_hit, out);
}

void append_previous(const Previous& previous, std::string& out) {
  out.append(R"(,"previous":{"seq":)");
  append_number(previous.seq, out);
  if (previous.similarity) append_similarity(R"(,"similarity":)", *previous.similarity, out);
  out.push_back('}');
}

void append_verdict(const Verdict& verdict, std::string& out) {
  out.append(R"(,"verdict":{"seq":)");
  append_number(verdict.seq, out);
  out.append(verdict.kept ? R"(,"kept":true)" : R"(,"kept":false)");
  if (!verdict.kept) {
    if (verdict.original_id) {
      out.append(R"(,"duplicate_of":)");
      append_json_string(*verdict.original_id, out);
    }
    out.append(R"(,"duplicate_of_seq":)");
    append_number(verdict.original, out);
    append_similarity(R"(,"similarity":)", verdict.similarity, out);
  }
  out.push_back('}');
}

void append_status(const Flag& flag, std::string& out) {
  out.append(R"(,"status":")").append(name(flag.status)).append("\"");
  if (flag.status == Status::kDeleted && !flag.known) out.append(R"(,"known":false)");
  if (flag.verdict) append_verdict(*flag.verdict, out);
  if (flag.status != Status::kRejected) return;
  out.append(R"(,"reason":")").append(name(flag.reason)).append(R"(","detail":)");
  append_json_string(flag.detail, out);
}

void append_passed_on(std::string_view name, const std::string& text, std::string& out) {
  if (text.empty()) return;
  out.append(",\"").append(name).append("\":");
  append_json_string(text, out);
}

void append_passed_on(std::string_view name, std::uint64_t number, std::string& out) {
  if (number == 0) return;
  out.append(",\"").append(name).append("\":");
  append_number(number, out);
}

void append_names(const Flag& flag, FlagSeq seq, std::string& out) {
  out.append(R"({"id":)");
  if (flag.has_id) {
    append_json_string(flag.id, out);
  } else {
    out.append("null");
  }
  if (!flag.name_space.empty()) {
    out.append(R"(,"namespace":)");
    append_json_string(flag.name_space, out);
  }
  for_each_passed_on(
      flag, [&](std::string_view name, const auto& value) { append_passed_on(name, value, out); });
  out.append(seq == FlagSeq::kOwn ? R"(,"seq":)" : R"(,"as_of_seq":)");
  append_number(seq == FlagSeq::kOwn ? flag.seq : flag.seq - 1, out);
}

}  // namespace

FlagWriter::FlagWriter(std::string_view rule, Ppm threshold, SourceFormat source, FlagSeq seq)
    : tail_(R"(,"threshold":)"), source_(std::move(source)), seq_(seq) {
  append_shortest(threshold, tail_);
  tail_.append(R"(,"rule":)");
  append_json_string(rule, tail_);
  tail_.append(R"(,"source":)");
}

void FlagWriter::append(const Flag& flag, std::string& out) const {
  append_names(flag, seq_, out);
  append_status(flag, out);
  if (flag.original) append_original(*flag.original, out);
  if (flag.previous) append_previous(*flag.previous, out);
  out.append(tail_);
  source_(flag.source, out);
  out.append("}\n");
}

}  // namespace neardup
