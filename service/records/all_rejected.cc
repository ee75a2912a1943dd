#include "service/records/all_rejected.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "service/records/rejected_fields.h"

namespace neardup {
namespace {

bool about_fields(RejectReason reason) {
  return reason == RejectReason::kMissingId || reason == RejectReason::kInvalidId ||
         reason == RejectReason::kMissingText || reason == RejectReason::kInvalidText;
}

// The most common other form that no record shows by itself (service/records/foreign_form.h).
std::string advise_on_form(std::string_view bytes) {
  if (bytes.starts_with('{'))
    return "; records of several lines each become one line each with `jq -c .`";
  return "";
}

}  // namespace

AllRejected::AllRejected(const InputOptions& input, std::vector<std::string> paths)
    : input_(input), paths_(std::move(paths)) {}

void AllRejected::add(const RawRecord& raw, RejectReason reason, std::string_view detail) {
  one_taken_ = one_taken_ || reason == RejectReason::kNone;
  if (one_taken_) return;
  ++records_;
  Example& example = by_reason_[reason];
  if (example.records++ != 0) return;
  example.source = raw.source;
  if (about_fields(reason)) example.advice = advise_on_fields(raw.bytes, input_);
  if (!example.advice.empty()) return;
  example.advice = detail;
  if (reason == RejectReason::kInvalidJson) example.advice += advise_on_form(raw.bytes);
}

std::string AllRejected::sentence() const {
  if (one_taken_ || records_ == 0) return "";
  const auto& [reason, most] = *std::max_element(
      by_reason_.begin(), by_reason_.end(),
      [](const auto& a, const auto& b) { return a.second.records < b.second.records; });
  return fmt::format("every record was rejected ({} of {} with {}); in {}, line {}: {}",
                     most.records, records_, name(reason), paths_.at(most.source.input),
                     most.source.place, most.advice);
}

}  // namespace neardup
