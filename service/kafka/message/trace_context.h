// The trace that a message belongs to: its headers traceparent and tracestate (W3C Trace Context,
// Level 1, 2021, section 3). They are passed on as they came, since no span of ours stands between
// (docs/decisions/0011-traces.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/ports.h"

namespace neardup {

inline constexpr std::string_view kTraceparentHeader = "traceparent";
inline constexpr std::string_view kTracestateHeader = "tracestate";

struct TraceContext {
  std::string traceparent;
  std::string tracestate;  // empty: none
  bool operator==(const TraceContext&) const = default;
};

// version "-" trace id "-" parent id "-" flags, in lower-case hex digits, neither id all zeros.
// Version 00 ends there; of later ones up to 128 bytes are taken, unread.
bool is_traceparent(std::string_view text);

// Up to 512 bytes of printable ASCII and tabs, what section 3.3.1.5 asks all to pass on. The
// members of the list are not looked at.
bool is_tracestate(std::string_view text);

// What the last header of that name says; empty where it is null or there is none.
std::string_view last_header(std::span<const RawHeader> headers, std::string_view name);

// Of the last header of each name. Nothing without a valid traceparent; a tracestate that is none
// is left out alone.
std::optional<TraceContext> trace_context(std::span<const RawHeader> headers);

// The headers that say it, none for null: views of `trace`, each with a value.
std::vector<RawHeader> trace_headers(const TraceContext* trace);

// 32 hex digits. Requires: is_traceparent(traceparent).
std::string_view trace_id(std::string_view traceparent);

}  // namespace neardup
