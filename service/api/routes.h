// The requests of the API, but those of documents (service/ingest) and of commands
// (service/control). Requires of all: what a route refers to outlives its server.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "config/config.h"
#include "pipeline/rule/rule.h"
#include "service/control/control.h"
#include "service/http/route.h"
#include "service/http/spool.h"
#include "service/kafka/message/positions.h"
#include "service/monitor/history.h"
#include "service/records/recent_flags.h"

namespace neardup {

// Adds /v1/rule, /v1/config and /openapi.json, which describes all routes that are there then, and
// itself. `version`: of the program.
void add_about_routes(const Config& config, const Rule& rule, const std::string& version,
                      HttpRoutes& routes);

// GET /v1/history.
HttpRoute history_route(const History& history);

// Adds GET and DELETE of /v1/documents/{id}, GET of /v1/documents and of /v1/stats.
void add_state_routes(Control& control, HttpRoutes& routes);

// As fetch_text of service/kafka/read/fetch.h; empty: the service reads no Kafka.
using KafkaText = std::function<std::string(const TopicPartition& partition, std::int64_t offset)>;

// POST /v1/compare.
HttpRoute compare_route(Control& control, const Config& config, const Rule& rule,
                        KafkaText kafka_text);

// Bytes of one answer about similar documents, for more of which there is 413.
inline constexpr std::uint64_t kMostSimilarAnswer = std::uint64_t{256} << 20;

// POST /v1/similar. `options` say which engines the service has. Answers take room of `budget`.
HttpRoute similar_route(Searches& searches, const SearchOptions& options, SpoolBudget& budget);

// GET /v1/flags: the latest flags, those behind a seq, or live.
HttpRoute flags_route(RecentFlags& flags);

}  // namespace neardup
