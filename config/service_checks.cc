#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "config/checks.h"
#include "config/fields.h"
#include "config/suggest.h"
#include "config/values.h"

namespace neardup {
namespace {

constexpr unsigned bit(ClusterRole role) { return 1U << static_cast<unsigned>(role); }

constexpr unsigned kAlone = bit(ClusterRole::kAll);
constexpr unsigned kReaders = kAlone | bit(ClusterRole::kSketcher);
constexpr unsigned kWriters = kAlone | bit(ClusterRole::kDecider) | bit(ClusterRole::kResolver);
constexpr unsigned kKeepers = kAlone | bit(ClusterRole::kDecider) | bit(ClusterRole::kShard);
constexpr unsigned kEvery = kReaders | kWriters | kKeepers;

struct Needed {
  std::string_view key;
  std::string_view what;
  unsigned roles = kEvery;  // that need it
};
constexpr std::array<Needed, 5> kNeededForKafka{{
    {"kafka.brokers", "the bootstrap brokers, such as kafka-1:9092,kafka-2:9092"},
    {"kafka.topics", "the topics to read documents from", kReaders},
    {"kafka.group_id", "the consumer group of this service, shared by no other one", kReaders},
    {"kafka.output_topic", "the topic to write flags to", kWriters},
    {"kafka.dead_letter_topic", "the topic to write rejected messages to", kReaders},
}};
constexpr Needed kNeededForState{"storage.path", "the directory of the state", kKeepers};
constexpr Needed kNeededForCluster{"cluster.name",
                                   "how the names of the topics of the cluster begin"};

void needed_key(const Needed& needed, const Config& config, Findings& findings) {
  const std::string_view key = needed.key;
  if (!findings.sound({key}) || !print_value(*find_field(key), config).empty()) return;
  findings.report({key}, fmt::format("`{}` is missing: {}", key, needed.what));
}

void needed_by_role(const Needed& needed, const Config& config, Findings& findings) {
  if ((needed.roles & bit(config.cluster.role)) != 0) needed_key(needed, config, findings);
}

bool is_alone(const Config& config) { return config.cluster.role == ClusterRole::kAll; }

void needed_keys(const Config& config, Findings& findings) {
  if (!findings.sound({"cluster.role"})) return;
  if (config.reads_kafka() || !is_alone(config)) {
    for (const Needed& needed : kNeededForKafka) needed_by_role(needed, config, findings);
  }
  needed_by_role(kNeededForState, config, findings);
  if (!is_alone(config)) needed_key(kNeededForCluster, config, findings);
}

void flags_over_http(const Config& config, Findings& findings) {
  if (config.output.mode == OutputMode::kFlags || !findings.sound({"output.mode", "source"}))
    return;
  findings.report(
      {"output.mode", "source"},
      "`output.mode` is for topics of Kafka; over HTTP a request is answered with flags");
}

void flags_to_topics(const Config& config, Findings& findings) {
  if (config.output.file.empty() || !findings.sound({"output.file", "source"})) return;
  findings.report({"output.file", "source"},
                  "`output.file` is for documents over HTTP; with `source: kafka` the flags go to "
                  "`kafka.output_topic`");
}

void lasting_state(const Config& config, Findings& findings) {
  if ((kNeededForState.roles & bit(config.cluster.role)) == 0) return;
  if (config.storage.store != StoreName::kMemory || !findings.sound({"storage.store"})) return;
  findings.report({"storage.store"},
                  "`storage.store: memory` is not for serve; a service must keep its state");
}

void raw_records(const Config& config, Findings& findings) {
  if (config.input.format != InputFormat::kRaw || !findings.sound({"input.format"})) return;
  findings.report(
      {"input.format"},
      "`input.format: raw` is for messages of Kafka; lines of a file or body have no key");
}

void framed_records(const Config& config, Findings& findings) {
  if (config.input.frame == InputFrame::kNone || !findings.sound({"input.frame"})) return;
  findings.report({"input.frame"},
                  "`input.frame` is for messages of Kafka; lines of a body have no frame");
}

void fields_of_raw_records(const Config& config, Findings& findings) {
  if (config.input.format != InputFormat::kRaw || !config.output.has(kUrlField)) return;
  if (!findings.sound({"input.format", "output.fields"})) return;
  findings.report({"output.fields", "input.format"},
                  "`output.fields: [url]` needs records with fields; with `input.format: raw` the "
                  "value of a message is only the text");
}

void instances(const KafkaOptions& kafka, Findings& findings) {
  if (!findings.sound({"kafka.instance", "kafka.instances"})) return;
  if (kafka.instance < kafka.instances) return;
  findings.report({"kafka.instance", "kafka.instances"},
                  fmt::format("`kafka.instance` is {}, but with `kafka.instances: {}` the last one "
                              "is {}",
                              kafka.instance, kafka.instances, kafka.instances - 1));
}

void not_an_input(const KafkaOptions& kafka, std::string_view key, const std::string& topic,
                  Findings& findings) {
  if (std::ranges::find(kafka.topics, topic) == kafka.topics.end()) return;
  findings.report({key},
                  fmt::format("`{}` {} is one of `kafka.topics`; the service would read what "
                              "it writes",
                              key, quote(topic)));
}

void topics(const KafkaOptions& kafka, Findings& findings) {
  not_an_input(kafka, "kafka.output_topic", kafka.output_topic, findings);
  not_an_input(kafka, "kafka.dead_letter_topic", kafka.dead_letter_topic, findings);
  not_an_input(kafka, "kafka.order_topic", kafka.order_topic, findings);
  if (!kafka.order_topic.empty() &&
      (kafka.order_topic == kafka.output_topic || kafka.order_topic == kafka.dead_letter_topic)) {
    findings.report(
        {"kafka.order_topic"},
        fmt::format(
            "`kafka.order_topic` {} is another output of the service; it needs a separate topic",
            quote(kafka.order_topic)));
  }
  if (kafka.dead_letter_topic.empty() || kafka.dead_letter_topic != kafka.output_topic) return;
  findings.report({"kafka.dead_letter_topic"},
                  fmt::format("`kafka.dead_letter_topic` and `kafka.output_topic` are both {}; "
                              "rejected messages need a separate topic",
                              quote(kafka.output_topic)));
}

void tls_files(const HttpTlsOptions& tls, Findings& findings) {
  const auto needs = [&](std::string_view key, const std::string& path, std::string_view other,
                         const std::string& other_path) {
    if (path.empty() || !other_path.empty() || !findings.sound({other})) return;
    findings.report({key}, fmt::format("`{}` needs `{}`, too", key, other));
  };
  constexpr std::string_view kCert = "http.tls.cert_file";
  constexpr std::string_view kKey = "http.tls.key_file";
  needs(kCert, tls.cert_file, kKey, tls.key_file);
  needs(kKey, tls.key_file, kCert, tls.cert_file);
  needs("http.tls.client_ca_file", tls.client_ca_file, kCert, tls.cert_file);
}

// What a process of a cluster does not do: order, flags and offsets are the cluster's.
void not_in_a_cluster(const Config& config, Findings& findings) {
  const auto refuse = [&](bool wrong, std::string_view key, std::string_view why) {
    if (!wrong || !findings.sound({key})) return;
    findings.report({key, "cluster.role"}, fmt::format("`{}` is not for `cluster.role: {}`: {}",
                                                       key, name(config.cluster.role), why));
  };
  const KafkaOptions& kafka = config.kafka;
  refuse(config.source == SourceName::kHttp, "source",
         "the documents of a cluster come from Kafka");
  refuse(config.output.mode != OutputMode::kFlags, "output.mode",
         "what is decided is not where the messages are; only `flags` can be had");
  refuse(kafka.instances > 1, "kafka.instances",
         "sketchers of one `kafka.group_id` share the partitions by themselves");
  refuse(!kafka.order_topic.empty(), "kafka.order_topic", "the log has the order");
  refuse(kafka.guarantee == Guarantee::kAtLeastOnce, "kafka.guarantee",
         "flags, decisions and offsets are one transaction");
}

void role(const Config& config, Findings& findings) {
  if (!findings.sound({"cluster.role", "cluster.name"})) return;
  if (!is_alone(config)) return not_in_a_cluster(config, findings);
  if (config.cluster.name.empty()) return;
  findings.report({"cluster.name"},
                  "`cluster.name` is set, and with `cluster.role: all` the process would decide on "
                  "its own: choose a role (`serve --role`), or leave `cluster` out");
}

// Every process of a cluster may have the same file, so this is checked for every role.
void topics_of_cluster(const Config& config, Findings& findings) {
  const ClusterOptions& cluster = config.cluster;
  if (cluster.name.empty() || !findings.sound({"cluster.name"})) return;
  const auto require_another = [&](std::string_view key, const std::string& topic) {
    for (const std::string& own :
         {cluster.log_topic(), cluster.answers_topic(), cluster.decisions_topic()}) {
      if (topic != own || !findings.sound({key})) continue;
      findings.report({key}, fmt::format("{} in `{}` is a topic of the cluster itself "
                                         "(`cluster.name`)",
                                         quote(topic), key));
    }
  };
  for (const std::string& topic : config.kafka.topics) require_another("kafka.topics", topic);
  require_another("kafka.output_topic", config.kafka.output_topic);
  require_another("kafka.dead_letter_topic", config.kafka.dead_letter_topic);
}

}  // namespace

void check_cluster_command(const Config& config, Findings& findings) {
  needed_key(kNeededForKafka.front(), config, findings);
  needed_key(kNeededForCluster, config, findings);
  topics_of_cluster(config, findings);
}

void check_service(const Config& config, const CheckOptions& options, Findings& findings) {
  const bool service = options.service;
  if (service) {
    needed_keys(config, findings);
    lasting_state(config, findings);
    role(config, findings);
  }
  if (service && (config.reads_kafka() || !is_alone(config))) {
    fields_of_raw_records(config, findings);
    flags_to_topics(config, findings);
  } else if (options.reads_records) {
    raw_records(config, findings);
  }
  if (service && !config.reads_kafka() && is_alone(config)) {
    flags_over_http(config, findings);
    framed_records(config, findings);
  }
  instances(config.kafka, findings);
  topics(config.kafka, findings);
  topics_of_cluster(config, findings);
  tls_files(config.http.tls, findings);
}

}  // namespace neardup
