// The trace that a message belongs to: its headers traceparent and tracestate (W3C Trace Context,
// Level 1, 2021, section 3). They are passed on unchanged, since the service adds no span
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
// Version 00 ends there. Later versions may be longer, up to 128 bytes in all; the rest is not
// parsed.
bool is_traceparent(std::string_view text);

// 1 to 512 bytes of printable ASCII and tabs: the least that section 3.3.1.5 requires everyone to
// pass on. The list members are not parsed.
bool is_tracestate(std::string_view text);

// The value of the last header of that name; empty if it is null or missing.
std::string_view last_header(std::span<const RawHeader> headers, std::string_view name);

// From the last header of each name. Nothing without a valid traceparent; an invalid tracestate is
// ignored.
std::optional<TraceContext> trace_context(std::span<const RawHeader> headers);

// The headers of a trace, none for null: views of `trace`, each with a value.
std::vector<RawHeader> trace_headers(const TraceContext* trace);

// 32 hex digits. Requires: is_traceparent(traceparent).
std::string_view trace_id(std::string_view traceparent);

}  // namespace neardup
