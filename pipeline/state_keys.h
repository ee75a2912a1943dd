// The small values of a state that the pipeline keeps in addition to documents and ids, by key.
// Those of a service begin with "kafka/" (service/kafka).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/rule/rule.h"
#include "storage/identity.h"
#include "storage/store.h"

namespace neardup {

// Of every state, written with each batch (pipeline/resolve).
inline constexpr std::string_view kMetaRule = "rule";  // the text of `rule_text`
inline constexpr std::string_view kMetaNextSeq = kNextSeqKey;
inline constexpr std::string_view kMetaStreamTime = "stream_time_ms";
inline constexpr std::string_view kMetaStreamBegan = "stream_began_ms";

// Missing while no limit of retention is set (pipeline/retention).
inline constexpr std::string_view kMetaExpiredBefore = "expired_before";
inline constexpr std::string_view kMetaTextBytes = "text_bytes";

// Deletes by command (pipeline/retention/delete_log): their total number, and the prefixes of two
// lists of entries: all deletes, and the deletes that a restored state must still repeat.
inline constexpr std::string_view kMetaDeleteCount = "delete/count";
inline constexpr std::string_view kMetaDeleteLog = "delete/log/";
inline constexpr std::string_view kMetaDeleteDue = "delete/due/";

// The decimal number at `key`; `otherwise` where the key is missing. Throws Failure(kIo) for
// anything but a number.
std::int64_t meta_number(Store& store, std::string_view key, std::int64_t otherwise);

// The text of the rule of the state. Throws Failure(kUnavailable) when there is none yet.
std::string stored_rule_text(Store& store);

// The rule of the state, without its seed unless that is the default. Throws Failure(kConfig) for
// one of an older text model, and Failure(kUnavailable) when there is none yet.
Rule stored_rule(Store& store);

// Throws Failure(kConfig), with both rules spelled out, when the store was made under another one.
void require_same_rule(Store& store, const Rule& rule);
// The same for the text of its rule.
void require_same_rule(const std::string& stored, const Rule& rule);

}  // namespace neardup
