#include "config/field_table.h"
#include "config/service_options.h"

namespace neardup {
namespace {

constexpr std::uint64_t kLongestGroup = 255;
constexpr std::uint64_t kLongestBrokers = 4095;
// More than the requests that are handled at once (service/http/server.cc): there is always a
// connection that can be closed to make room for a probe.
constexpr std::uint64_t kLeastConnections = 32;
constexpr std::uint64_t kLongestValue = std::uint64_t{64} << 10;  // holds a chain of certificates

}  // namespace

std::vector<Field> service_fields() {
  return {
      word("source", FIELD_REF(source))
          .help("The source of the documents of `serve`, which orders them: `kafka`, the topics of "
                "`kafka.topics`; `http`, `POST /v1/documents`. `auto`: `kafka` where a key of "
                "`kafka` is set, else `http`."),
      text("kafka.brokers", FIELD_REF(kafka.brokers))
          .max(kLongestBrokers)
          .aliases({"bootstrap_servers", "servers"})
          .help("Bootstrap brokers: HOST:PORT, separated by commas. `serve` requires it."),
      topics("kafka.topics", FIELD_REF(kafka.topics))
          .aliases({"input_topic", "input_topics"})
          .help("Input topics: a list, or one text with commas. `serve` requires it. A state "
                "belongs to its topics."),
      text("kafka.group_id", FIELD_REF(kafka.group_id))
          .max(kLongestGroup)
          .aliases({"consumer_group"})
          .help("Consumer group of the committed positions, and prefix of the transactional id: "
                "shared by all instances, by no other service. `serve` requires it."),
      topic("kafka.output_topic", FIELD_REF(kafka.output_topic))
          .help("Output topic, for flags or passed-on messages. `serve` requires it."),
      topic("kafka.dead_letter_topic", FIELD_REF(kafka.dead_letter_topic))
          .aliases({"dlq_topic"})
          .help("Topic for rejected messages, with the reason. `serve` requires it."),
      topic("kafka.order_topic", FIELD_REF(kafka.order_topic))
          .help("Topic for the order of the messages of each batch, some bits a message. With it "
                "an older copy of a state with several partitions, or a new one, catches up in "
                "every `output.mode`; with `flags` it does so without.")
          .cost("One more message a batch."),
      integer("kafka.instance", FIELD_REF(kafka.instance))
          .range(0, 1023)
          .help("Number of this service among `kafka.instances`, from 0; it takes the partitions p "
                "with p mod instances = instance."),
      integer("kafka.instances", FIELD_REF(kafka.instances))
          .range(1, 1024)
          .help("Services that share the topics, each with its own state.")
          .cost(
              "Documents are compared only within one instance; another number needs new states."),
      word("kafka.guarantee", FIELD_REF(kafka.guarantee))
          .help("`exactly_once`: flags and positions in one transaction, no flag is lost or "
                "duplicated for readers with `read_committed`. `at_least_once`: no transactions; a "
                "restart may repeat flags, byte for byte.")
          .cost("`exactly_once` shows flags when their batch is committed, not before."),
      word("kafka.start", FIELD_REF(kafka.start))
          .help("Where a new state begins to read: `earliest`, the first record of each partition; "
                "`latest`, the next record to arrive."),
      integer("kafka.idle_commit_seconds", FIELD_REF(kafka.idle_commit_seconds))
          .range(1, 86'400)
          .help("An idle service commits its positions again after this time, so that the broker "
                "does not expire them (`offsets.retention.minutes`)."),
      path_map("kafka.secrets", FIELD_REF(kafka.secrets))
          .help("Keys of librdkafka whose values are read from files, such as `sasl.password: "
                "/run/secrets/kafka`; the newline at the end is cut. At most 64 KiB each."),
      text_map("kafka.librdkafka", FIELD_REF(kafka.librdkafka))
          .max(kLongestValue)
          .help(
              "Any other keys of librdkafka, such as `security.protocol: SASL_SSL`; `config show` "
              "hides passwords and private keys. Keys that the service sets itself are refused."),
      topic("cluster.name", FIELD_REF(cluster.name))
          .help("Cluster that this process is part of. Its topics are NAME.log, NAME.answers and "
                "NAME.decisions; `neardup cluster init` creates them."),
      word("cluster.role", FIELD_REF(cluster.role))
          .help("`all`: one process does everything, without a cluster. `sketcher` reads "
                "`kafka.topics` and appends sketches to the log. `decider` decides the records of "
                "the log with the whole index; a second one follows and takes over. `shard` holds "
                "a part of the index; `resolver` decides from the answers of the shards."),
      integer("cluster.shard", FIELD_REF(cluster.shard))
          .range(0, 63)
          .help("Number of the shard, for that role."),
      integer("cluster.replica", FIELD_REF(cluster.replica))
          .range(0, 63)
          .help("Number of the replica of the shard."),
      integer("cluster.window", FIELD_REF(cluster.window))
          .range(256, 1'048'576)
          .help("How many records shards look up ahead of the last decided one.")
          .cost("A larger one evens out slow shards, and makes the resolver slower and larger: 3 "
                "KB a record."),
      bytes("cluster.log.max_lag", FIELD_REF(cluster.log.max_lag))
          .range(std::uint64_t{1} << 20, std::uint64_t{1} << 50)
          .help("Sketchers wait while more bytes of the log than this are not decided."),
      word("output.mode", FIELD_REF(output.mode))
          .help("`flags`: one flag record per message. `annotate`: the message itself, its flag in "
                "`neardup-` headers. `filter`: only messages that are not duplicates; deletes as "
                "nulls.")
          .cost("`annotate` and `filter` write whole messages."),
      path("output.file", FIELD_REF(output.file))
          .help("With `source: http`, a file that `serve` appends all flags to, in the order of "
                "their `seq`; a crash neither duplicates nor loses one. A state always writes to "
                "the same file.")
          .cost("The flags of a batch are synced before its commit."),
      address("http.listen", FIELD_REF(http.listen))
          .help("Address of the HTTP server (`/healthz`, `/metrics`, `/v1` …); port 0 chooses a "
                "free port."),
      address_or_none("http.metrics_listen", FIELD_REF(http.metrics_listen))
          .help("A second port for `/healthz`, `/readyz`, `/version` and `/metrics`, which need no "
                "token; `http.listen` then does not serve them. It has the same limits."),
      path("http.token_file", FIELD_REF(http.token_file))
          .help("File of bearer tokens that may read, write and control, one a line, of at least "
                "16 characters. The file is reloaded when it changes, so a new token can be added "
                "before an old one is removed. An empty or missing file rejects every request. "
                "Without this key only commands on this machine are accepted, by the token of each "
                "run."),
      path("http.read_token_file", FIELD_REF(http.read_token_file))
          .help("As `http.token_file`, for tokens that may only read. Without this key reading is "
                "open where only this machine can reach `http.listen`, and elsewhere needs a token "
                "of `http.token_file`. Probes and metrics never need one."),
      hosts("http.hosts", FIELD_REF(http.hosts))
          .help("Host names, without ports, under which clients may reach the service, in addition "
                "to `http.listen` and this machine: others are rejected, so that a web page cannot "
                "make a browser send requests to the service. Empty: where other machines can "
                "reach the service, any name."),
      origins("http.cors_origins", FIELD_REF(http.cors_origins))
          .help("Origins (CORS) whose web pages may send requests to the service and read its "
                "responses, with a token where one is needed. Requests from other origins are "
                "rejected, except from the service's own, which is the Host of the request."),
      path("http.tls.cert_file", FIELD_REF(http.tls.cert_file))
          .aliases({"tls_cert_file"})
          .help(
              "The certificate of `http.listen` in PEM, followed by its intermediate certificates: "
              "requests then need TLS 1.2 or later. It is reloaded when it changes, as are the "
              "next two: new connections get the new one, and if it cannot be used a warning is "
              "logged and the old one stays. `http.metrics_listen` has no TLS.")
          .cost("Each connection takes another 70 KiB of memory."),
      path("http.tls.key_file", FIELD_REF(http.tls.key_file))
          .aliases({"tls_key_file"})
          .help("The private key of that certificate in PEM, without a passphrase."),
      path("http.tls.client_ca_file", FIELD_REF(http.tls.client_ca_file))
          .aliases({"tls_client_ca_file"})
          .help("Authorities in PEM: clients need a certificate of one of them in addition to a "
                "token. Commands on this machine do not."),
      integer("http.max_connections", FIELD_REF(http.max_connections))
          .range(kLeastConnections, 65'536)
          .help("Maximum number of open connections, at most a quarter of the process's limit of "
                "open files. Beyond it a connection that waits for its client is closed: first one "
                "without a request, then one without a token, so that probes are answered.")
          .cost("Each takes up to `http.max_head` of memory while it sends a request."),
      integer("http.max_connections_per_client", FIELD_REF(http.max_connections_per_client))
          .range(kLeastConnections, 65'536)
          .help(
              "As `http.max_connections`, for one client address; with IPv6, for one /64 network."),
      bytes("http.max_head", FIELD_REF(http.max_head))
          .range(std::uint64_t{1} << 10, std::uint64_t{1} << 20)
          .help("A request whose head (request line and fields) is larger is rejected with 431."),
      integer("http.head_seconds", FIELD_REF(http.head_seconds))
          .range(1, 3600)
          .help("Time for the head of a request, from its first byte or from the opening of the "
                "connection. Receiving a body and sending a response may take as long, and one "
                "second more for each 64 KiB.")
          .cost("Slow clients hold a connection for that time."),
      integer("http.idle_seconds", FIELD_REF(http.idle_seconds))
          .range(1, 86'400)
          .help("A connection without a request is closed after this time."),
      ratio("http.check_share", FIELD_REF(http.check_share))
          .range(10'000, 900'000)
          .help("The share of the deciding thread's time for checks, comparisons and other "
                "requests that read the state, while documents wait; without waiting documents "
                "they may use all of it.")
          .cost("A larger one makes them faster under load, and documents slower."),
      bytes("http.spool_memory", FIELD_REF(http.spool_memory))
          .range(std::uint64_t{64} << 10, std::uint64_t{64} << 30)
          .help("Memory of responses that wait for their clients: in total, and at most 64 KiB "
                "each; the rest is spooled to files."),
      bytes("http.spool_disk", FIELD_REF(http.spool_disk))
          .range(std::uint64_t{1} << 20, std::uint64_t{1} << 50)
          .help("Total size of these files. A request whose response alone would exceed it is "
                "rejected with 413, and one for which the others leave no room with 503; its "
                "documents are stored regardless.")
          .cost("`http.spool_path` may use that much disk."),
      path("http.spool_path", FIELD_REF(http.spool_path))
          .help("An existing directory for these files, which are unlinked. By default they are in "
                "the directory of the state."),
      path("backup.directory", FIELD_REF(backup.directory))
          .help("An existing directory on another volume, in which the service makes a backup of "
                "its state when `neardup backup --service` requests one. Without this key such a "
                "request is rejected."),
      integer("backup.keep", FIELD_REF(backup.keep))
          .range(1, 1000)
          .help("Number of backups of this state to keep there; older ones are removed when a new "
                "one is complete. Backups of other states are not touched.")
          .cost("Each is a full copy, and there must be room for one more."),
      word("log.format", FIELD_REF(log.format))
          .help("`json`: one JSON object per line. `text`: lines for people."),
      word("log.level", FIELD_REF(log.level))
          .help("Lowest level that is logged.")
          .cost("`debug` writes a line for each batch."),
      integer("shutdown.drain_seconds", FIELD_REF(shutdown.drain_seconds))
          .range(1, 3600)
          .help("Time to deliver decided batches after SIGTERM.")
          .cost("Batches not delivered by then are sent at the next start; none is lost."),
  };
}

}  // namespace neardup
