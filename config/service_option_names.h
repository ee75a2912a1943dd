// The words of the enums in config/service_options.h, in their order.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "config/service_options.h"
#include "pipeline/core/enum_name.h"

namespace neardup {

inline constexpr std::array<std::string_view, 2> kInputFormatNames{"json", "raw"};
constexpr std::span<const std::string_view> names(InputFormat) { return kInputFormatNames; }

inline constexpr std::array<std::string_view, 3> kOutputModeNames{"flags", "annotate", "filter"};
constexpr std::span<const std::string_view> names(OutputMode) { return kOutputModeNames; }

inline constexpr std::array<std::string_view, 2> kGuaranteeNames{"exactly_once", "at_least_once"};
constexpr std::span<const std::string_view> names(Guarantee) { return kGuaranteeNames; }

inline constexpr std::array<std::string_view, 2> kStartAtNames{"earliest", "latest"};
constexpr std::span<const std::string_view> names(StartAt) { return kStartAtNames; }

inline constexpr std::array<std::string_view, 2> kLogFormatNames{"json", "text"};
constexpr std::span<const std::string_view> names(LogFormat) { return kLogFormatNames; }

inline constexpr std::array<std::string_view, 4> kLogLevelNames{"debug", "info", "warning",
                                                                "error"};
constexpr std::span<const std::string_view> names(LogLevel) { return kLogLevelNames; }

}  // namespace neardup
