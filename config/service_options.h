// Options of inputs and outputs: the fields and the size of records, the form of flags, and the
// settings of a service.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/enum_name.h"
#include "pipeline/model/record.h"

namespace neardup {

enum class InputFormat : std::uint8_t {
  kJson,
  kRaw,  // for messages: the whole value is the text, the key the id
};
inline constexpr std::array<std::string_view, 2> kInputFormatNames{"json", "raw"};
constexpr std::span<const std::string_view> names(InputFormat) { return kInputFormatNames; }

// The frame before the value of a message (service/records/foreign_form.h).
enum class InputFrame : std::uint8_t { kNone, kConfluent };
inline constexpr std::array<std::string_view, 2> kInputFrameNames{"none", "confluent"};
constexpr std::span<const std::string_view> names(InputFrame) { return kInputFrameNames; }

// Where the id and the text of a record are.
enum class InputId : std::uint8_t {
  kPointer,  // as id_field and text_field say
  kAuto,     // for files: found in the first record of each
};
inline constexpr std::array<std::string_view, 2> kInputIdNames{"pointer", "auto"};
constexpr std::span<const std::string_view> names(InputId) { return kInputIdNames; }

// Fields are named by JSON pointers (RFC 6901), never empty.
struct InputOptions {
  InputFormat format = InputFormat::kJson;
  InputFrame frame = InputFrame::kNone;
  InputId id = InputId::kPointer;
  std::uint64_t max_record_bytes = std::uint64_t{32} << 20;  // larger records are rejected unread
  std::string id_field = "/id";
  std::string text_field = "/text";
  std::string namespace_field = "/namespace";
  std::string timestamp_field = "/ts";
  std::string url_field = "/url";
};

enum class OutputMode : std::uint8_t {
  kFlags,     // one flag record per input record
  kAnnotate,  // the input message itself, with the flag in its headers
  kFilter,    // the input messages that are no duplicates, deletes as nulls
};
inline constexpr std::array<std::string_view, 3> kOutputModeNames{"flags", "annotate", "filter"};
constexpr std::span<const std::string_view> names(OutputMode) { return kOutputModeNames; }

struct OutputOptions {
  OutputMode mode = OutputMode::kFlags;
  std::vector<std::string> fields = {};  // more fields of a flag record, of kPassedOnFields
  std::string file = {};                 // of flags, besides the answers of the port; empty: none
  bool has(std::string_view field) const {
    return std::ranges::find(fields, field) != fields.end();
  }
};

// Where the documents of a service come from, which gives them their order.
enum class SourceName : std::uint8_t { kAuto, kKafka, kHttp };
inline constexpr std::array<std::string_view, 3> kSourceNameNames{"auto", "kafka", "http"};
constexpr std::span<const std::string_view> names(SourceName) { return kSourceNameNames; }

enum class Guarantee : std::uint8_t { kExactlyOnce, kAtLeastOnce };
inline constexpr std::array<std::string_view, 2> kGuaranteeNames{"exactly_once", "at_least_once"};
constexpr std::span<const std::string_view> names(Guarantee) { return kGuaranteeNames; }

enum class StartAt : std::uint8_t { kEarliest, kLatest };
inline constexpr std::array<std::string_view, 2> kStartAtNames{"earliest", "latest"};
constexpr std::span<const std::string_view> names(StartAt) { return kStartAtNames; }

struct KafkaOptions {
  std::string brokers;  // host:port, several with commas
  std::vector<std::string> topics;
  std::string group_id;
  std::string output_topic;
  std::string dead_letter_topic;
  std::string order_topic;     // receives the order of each batch; empty: none
  std::uint32_t instance = 0;  // takes the partitions p with p mod instances = instance
  std::uint32_t instances = 1;
  Guarantee guarantee = Guarantee::kExactlyOnce;
  StartAt start = StartAt::kEarliest;             // where a new state begins to read
  std::uint32_t idle_commit_seconds = 3600;       // recommits unchanged offsets before they expire
  std::map<std::string, std::string> librdkafka;  // any key of librdkafka
  std::map<std::string, std::string> secrets;     // key of librdkafka → file that holds its value
  std::map<std::string, std::string> secret_values;  // read from those files; never shown
  bool operator==(const KafkaOptions&) const = default;
};

// The role of a process in a cluster (docs/cluster.md).
enum class ClusterRole : std::uint8_t {
  kAll,  // there is no cluster: one process reads, sketches and decides
  kSketcher,
  kDecider,
  kShard,
  kResolver,
};
inline constexpr std::array<std::string_view, 5> kClusterRoleNames{"all", "sketcher", "decider",
                                                                   "shard", "resolver"};
constexpr std::span<const std::string_view> names(ClusterRole) { return kClusterRoleNames; }

struct ClusterLogOptions {
  std::uint64_t max_lag = std::uint64_t{20} << 30;  // undecided bytes; then sketchers wait
};

struct ClusterOptions {
  std::string name;  // how the names of its topics and groups begin
  ClusterRole role = ClusterRole::kAll;
  std::uint32_t shard = 0;
  std::uint32_t replica = 0;
  std::uint32_t window = 65'536;  // records looked up ahead of decisions
  ClusterLogOptions log = {};
  std::string log_topic() const { return name + ".log"; }
  std::string answers_topic() const { return name + ".answers"; }
  std::string decisions_topic() const { return name + ".decisions"; }
  // Commits how far the log is decided.
  std::string decider_group() const { return name + ".decider"; }
  // Of the clients of shards, which commit nothing.
  std::string shard_group() const { return name + ".shards"; }
  // Gives the log to the one decider that leads.
  std::string lease_group() const { return name + ".lease"; }
};

// PEM files, read again when they change.
struct HttpTlsOptions {
  std::string cert_file = {};       // the certificate chain of the port; empty: no TLS
  std::string key_file = {};        // its private key
  std::string client_ca_file = {};  // clients need a certificate from one of these; empty: none
};

struct HttpOptions {
  std::string listen = "127.0.0.1:8080";
  std::string metrics_listen = {};  // a separate port for probes and metrics; empty: `listen`
  std::uint32_t max_connections = 512;
  std::uint32_t max_connections_per_client = 64;
  std::uint64_t max_head = std::uint64_t{16} << 10;  // bytes of a request before its body
  std::uint32_t head_seconds = 5;                    // for a head to arrive
  std::uint32_t idle_seconds = 60;                   // between two requests of a connection
  std::string token_file = {};                       // a file that holds `tokens`; empty: none
  std::vector<std::string> tokens = {};  // for requests, as is the token of each run; never shown
  std::string read_token_file = {};      // as `token_file`, for requests that only read
  std::vector<std::string> read_tokens = {};
  std::vector<std::string> hosts = {};         // names of the service in the header Host
  std::vector<std::string> cors_origins = {};  // web pages of these origins may ask
  std::uint32_t check_share = 250'000;         // ppm of the deciding thread, while documents wait
  std::uint64_t spool_memory = std::uint64_t{16} << 20;  // bytes of all answers that wait
  std::uint64_t spool_disk = std::uint64_t{4} << 30;     // bytes of them in files
  std::string spool_path = {};  // the directory of these files; empty: that of the state
  HttpTlsOptions tls = {};
};

// Backups that a running service makes of its own state on request.
struct BackupOptions {
  std::string directory = {};  // each backup is a directory in it; empty: no backups
  std::uint32_t keep = 2;      // number kept of this state; a new complete one replaces the oldest
};

enum class LogFormat : std::uint8_t { kJson, kText };
inline constexpr std::array<std::string_view, 2> kLogFormatNames{"json", "text"};
constexpr std::span<const std::string_view> names(LogFormat) { return kLogFormatNames; }

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };
inline constexpr std::array<std::string_view, 4> kLogLevelNames{"debug", "info", "warning",
                                                                "error"};
constexpr std::span<const std::string_view> names(LogLevel) { return kLogLevelNames; }

struct LogOptions {
  LogFormat format = LogFormat::kJson;
  LogLevel level = LogLevel::kInfo;
};

enum class EngineName : std::uint8_t { kAuto, kScan, kMatch, kEwh, kLsh };
inline constexpr std::array<std::string_view, 5> kEngineNameNames{"auto", "scan", "match", "ewh",
                                                                  "lsh"};
constexpr std::span<const std::string_view> names(EngineName) { return kEngineNameNames; }

enum class KeywordIndexMode : std::uint8_t { kOff, kOn };
inline constexpr std::array<std::string_view, 2> kKeywordIndexModeNames{"off", "on"};
constexpr std::span<const std::string_view> names(KeywordIndexMode) {
  return kKeywordIndexModeNames;
}

// Searches for similar documents.
struct SearchOptions {
  EngineName engine = EngineName::kAuto;
  KeywordIndexMode index = KeywordIndexMode::kOff;
  std::uint32_t keywords = 32;      // of a document in the index
  std::uint64_t memory = 0;         // bytes of a GPU; 0: searches use the CPU
  std::uint32_t candidates = 1000;  // documents whose rows a query may read
};

struct ShutdownOptions {
  std::uint32_t drain_seconds = 30;  // for decided batches to be delivered after SIGTERM
};

}  // namespace neardup
