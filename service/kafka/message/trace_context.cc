#include "service/kafka/message/trace_context.h"

#include <algorithm>
#include <ranges>

namespace neardup {
namespace {

constexpr std::size_t kTraceIdAt = 3;
constexpr std::size_t kTraceIdDigits = 32;
constexpr std::size_t kParentIdAt = 36;
constexpr std::size_t kParentIdDigits = 16;
constexpr std::size_t kFlagsAt = 53;
constexpr std::size_t kVersion00Bytes = 55;
constexpr std::size_t kMostTraceparentBytes = 128;
constexpr std::size_t kMostTracestateBytes = 512;

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_id(std::string_view text) {
  return is_hex(text) && text.find_first_not_of('0') != text.npos;
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
}

// Is this a valid rest of a traceparent, after the flags?
bool is_rest(std::string_view version, std::string_view rest) {
  if (rest.empty()) return true;
  return version != "00" && rest.starts_with('-') && is_printable(rest);
}

}  // namespace

bool is_traceparent(std::string_view text) {
  if (text.size() < kVersion00Bytes || text.size() > kMostTraceparentBytes) return false;
  const std::string_view version = text.substr(0, 2);
  const bool parted =
      text[kTraceIdAt - 1] == '-' && text[kParentIdAt - 1] == '-' && text[kFlagsAt - 1] == '-';
  return parted && is_hex(version) && version != "ff" && is_id(trace_id(text)) &&
         is_id(text.substr(kParentIdAt, kParentIdDigits)) && is_hex(text.substr(kFlagsAt, 2)) &&
         is_rest(version, text.substr(kVersion00Bytes));
}

bool is_tracestate(std::string_view text) {
  return !text.empty() && text.size() <= kMostTracestateBytes && is_printable(text);
}

std::string_view last_header(std::span<const RawHeader> headers, std::string_view name) {
  const auto backwards = headers | std::views::reverse;
  const auto found = std::ranges::find(backwards, name, &RawHeader::name);
  return found == backwards.end() ? std::string_view() : found->value.value_or("");
}

std::optional<TraceContext> trace_context(std::span<const RawHeader> headers) {
  const std::string_view parent = last_header(headers, kTraceparentHeader);
  if (!is_traceparent(parent)) return {};
  const std::string_view state = last_header(headers, kTracestateHeader);
  return TraceContext{std::string(parent), std::string(is_tracestate(state) ? state : "")};
}

std::vector<RawHeader> trace_headers(const TraceContext* trace) {
  if (trace == nullptr) return {};
  std::vector<RawHeader> headers = {{kTraceparentHeader, trace->traceparent}};
  if (!trace->tracestate.empty()) headers.push_back({kTracestateHeader, trace->tracestate});
  return headers;
}

std::string_view trace_id(std::string_view traceparent) {
  return traceparent.substr(kTraceIdAt, kTraceIdDigits);
}

}  // namespace neardup
