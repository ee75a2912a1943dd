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
          .help(
              "Where the documents of `serve` come from, which gives them their order: `kafka`, "
              "the "
              "topics of `kafka.topics`; `http`, `POST /v1/documents`. `auto`: `kafka` where a key "
              "of `kafka` is set, else `http`."),
      text("kafka.brokers", FIELD_REF(kafka.brokers))
          .max(kLongestBrokers)
          .aliases({"bootstrap_servers", "servers"})
          .help("Brokers to ask first: HOST:PORT, several with commas. `serve` requires it."),
      topics("kafka.topics", FIELD_REF(kafka.topics))
          .aliases({"input_topic", "input_topics"})
          .help("Topics that documents are read from: a list, or one text with commas. `serve` "
                "requires it. A state belongs to its topics."),
      text("kafka.group_id", FIELD_REF(kafka.group_id))
          .max(kLongestGroup)
          .aliases({"consumer_group"})
          .help("Consumer group that positions are committed under, and the start of the "
                "transactional id: shared by all instances, by no other service. `serve` requires "
                "it."),
      topic("kafka.output_topic", FIELD_REF(kafka.output_topic))
          .help("Topic that flags, or passed-on messages, are written to. `serve` requires it."),
      topic("kafka.dead_letter_topic", FIELD_REF(kafka.dead_letter_topic))
          .aliases({"dlq_topic"})
          .help(
              "Topic that rejected messages are written to, with the reason. `serve` requires it."),
      topic("kafka.order_topic", FIELD_REF(kafka.order_topic))
          .help("Topic that the order of the messages of each batch is written to, some bits a "
                "message. With it an older copy of a state with several partitions, or a new one, "
                "catches up in every `output.mode`; with `flags` it does so without.")
          .cost("One more message a batch."),
      integer("kafka.instance", FIELD_REF(kafka.instance))
          .range(0, 1023)
          .help("Number of this service among `kafka.instances`, from 0; it takes the partitions p "
                "with p mod instances = instance."),
      integer("kafka.instances", FIELD_REF(kafka.instances))
          .range(1, 1024)
          .help("Services that share the topics, each with a state of its own.")
          .cost(
              "Documents are compared only within one instance; another number needs new states."),
      word("kafka.guarantee", FIELD_REF(kafka.guarantee))
          .help(
              "`exactly_once`: flags and positions in one transaction, no flag is lost or doubled "
              "for readers with `read_committed`. `at_least_once`: no transactions; a restart may "
              "repeat flags, byte for byte.")
          .cost("`exactly_once` shows flags when their batch is committed, not before."),
      word("kafka.start", FIELD_REF(kafka.start))
          .help("Where a new state begins to read: `earliest`, all that the topics hold; `latest`, "
                "only what comes from now on."),
      integer("kafka.idle_commit_seconds", FIELD_REF(kafka.idle_commit_seconds))
          .range(1, 86'400)
          .help("Without news, positions are committed again after this time, so that the broker "
                "does not forget them (`offsets.retention.minutes`)."),
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
                "NAME.decisions; `neardup cluster init` makes them."),
      word("cluster.role", FIELD_REF(cluster.role))
          .help(
              "`all`: one process does everything, without a cluster. `sketcher` reads "
              "`kafka.topics` and appends sketches to the log. `decider` decides the log with the "
              "whole index; a second one follows and takes over. `shard` holds a part of the "
              "index, and `resolver` decides from the answers of the shards."),
      integer("cluster.shard", FIELD_REF(cluster.shard))
          .range(0, 63)
          .help("Number of the shard, for that role."),
      integer("cluster.replica", FIELD_REF(cluster.replica))
          .range(0, 63)
          .help("Number of the replica of the shard."),
      integer("cluster.window", FIELD_REF(cluster.window))
          .range(256, 1'048'576)
          .help("Records that shards look up before the records in front of them are decided.")
          .cost("A larger one evens out slow shards, and makes the resolver slower and larger: 3 "
                "KB a record."),
      bytes("cluster.log.max_lag", FIELD_REF(cluster.log.max_lag))
          .range(std::uint64_t{1} << 20, std::uint64_t{1} << 50)
          .help("Sketchers wait while more bytes of the log than this are not decided."),
      word("output.mode", FIELD_REF(output.mode))
          .help("`flags`: one flag record per message. `annotate`: the message itself, its flag in "
                "`neardup-` headers. `filter`: only messages that are no duplicates; deletes as "
                "nulls.")
          .cost("`annotate` and `filter` write whole messages."),
      path("output.file", FIELD_REF(output.file))
          .help("With `source: http`, a file that `serve` appends all flags to, in the order of "
                "their `seq`; a crash neither doubles nor loses one. A state keeps to its file.")
          .cost("The flags of a batch are synced before its commit."),
      address("http.listen", FIELD_REF(http.listen))
          .help(
              "Where requests are answered, such as `/healthz`, `/metrics` and those under `/v1`; "
              "port 0 takes a free one."),
      address_or_none("http.metrics_listen", FIELD_REF(http.metrics_listen))
          .help("A second port for `/healthz`, `/readyz`, `/version` and `/metrics`, which need no "
                "token; `http.listen` does not have them then. Its limits are those of the first."),
      path("http.token_file", FIELD_REF(http.token_file))
          .help("A file of tokens that let requests write and control, one a line, of 16 "
                "characters or "
                "more. It is read again when it changes, so a new token can be added before an old "
                "one "
                "goes. An emptied or removed file lets nobody in. Without it only commands on this "
                "machine get in, by the token "
                "of each run."),
      path("http.read_token_file", FIELD_REF(http.read_token_file))
          .help("As `http.token_file`, of tokens that may only read. Without it reading is open "
                "where only this machine can reach `http.listen`, and elsewhere needs a token that "
                "may write. Probes and metrics never need one."),
      hosts("http.hosts", FIELD_REF(http.hosts))
          .help("Names under which clients may reach the service, besides `http.listen` and this "
                "machine, without ports: others are refused, so that a web page cannot have a "
                "browser ask the service. Empty: where other machines can reach the service, any "
                "name."),
      origins("http.cors_origins", FIELD_REF(http.cors_origins))
          .help(
              "Web pages of these origins may ask the service from a browser and read its answers "
              "(CORS), with a token where one is needed. Requests of other pages are refused, but "
              "those of the service's own origin, which is the Host that they are for."),
      path("http.tls.cert_file", FIELD_REF(http.tls.cert_file))
          .aliases({"tls_cert_file"})
          .help("The certificate of `http.listen` in PEM, followed by those between it and its "
                "authority: requests need TLS 1.2 or later then. It is read again when it changes, "
                "as "
                "are the next two: new connections get the new one, and if it cannot be used a "
                "warning is logged and the old one stays. `http.metrics_listen` has no TLS.")
          .cost("Each connection takes 70 KiB more of memory."),
      path("http.tls.key_file", FIELD_REF(http.tls.key_file))
          .aliases({"tls_key_file"})
          .help("The private key of that certificate in PEM, without a passphrase."),
      path("http.tls.client_ca_file", FIELD_REF(http.tls.client_ca_file))
          .aliases({"tls_client_ca_file"})
          .help(
              "Authorities in PEM: clients need a certificate of one of them, besides the tokens. "
              "Commands on this machine do not."),
      integer("http.max_connections", FIELD_REF(http.max_connections))
          .range(kLeastConnections, 65'536)
          .help("Connections that are open at once, and no more than a quarter of the files that "
                "the process may have open. For one more, one that waits for its client is closed, "
                "first those that have shown no request, then those without a token, so that "
                "probes get in.")
          .cost("Each takes up to `http.max_head` of memory while it sends a request."),
      integer("http.max_connections_per_client", FIELD_REF(http.max_connections_per_client))
          .range(kLeastConnections, 65'536)
          .help("As `http.max_connections`, for one address; of IPv6, for one network of 64 bits."),
      bytes("http.max_head", FIELD_REF(http.max_head))
          .range(std::uint64_t{1} << 10, std::uint64_t{1} << 20)
          .help("A request whose head (request line and fields) is larger is refused with 431."),
      integer("http.head_seconds", FIELD_REF(http.head_seconds))
          .range(1, 3600)
          .help("The head of a request must be there within this time of its first byte, or of the "
                "opening of the connection. A body, and the taking of an answer, may last as long, "
                "and a second more for each 64 KiB.")
          .cost("Slow clients hold a connection so long."),
      integer("http.idle_seconds", FIELD_REF(http.idle_seconds))
          .range(1, 86'400)
          .help("A connection without a request is closed after this time."),
      ratio("http.check_share", FIELD_REF(http.check_share))
          .range(10'000, 900'000)
          .help(
              "The part of the deciding thread's time that checks, comparisons and other requests "
              "that read the state may take while documents wait; otherwise they may take all.")
          .cost("A larger one makes them faster under load, and documents slower."),
      bytes("http.spool_memory", FIELD_REF(http.spool_memory))
          .range(std::uint64_t{64} << 10, std::uint64_t{64} << 30)
          .help("What answers that wait for their clients may take of memory, all together and "
                "64 KiB each; the rest goes into files."),
      bytes("http.spool_disk", FIELD_REF(http.spool_disk))
          .range(std::uint64_t{1} << 20, std::uint64_t{1} << 50)
          .help("What these files may take, all together. A request whose answer alone would take "
                "more is refused with 413, and one for which others leave no room with 503; "
                "documents are stored all the same.")
          .cost("So much disk may be in use at `http.spool_path`."),
      path("http.spool_path", FIELD_REF(http.spool_path))
          .help(
              "An existing directory for these files, which have no names. Without it they are in "
              "the directory of the state, and take of its disk."),
      path("backup.directory", FIELD_REF(backup.directory))
          .help("An existing directory on another volume, where the service puts a backup of its "
                "state when `neardup backup --service` asks for one. Without it such a request is "
                "refused."),
      integer("backup.keep", FIELD_REF(backup.keep))
          .range(1, 1000)
          .help("Backups of this state that stay there; when a new one is whole, older ones are "
                "removed. Those of other states are left alone.")
          .cost("Each is a whole copy, and there must be room for one more."),
      word("log.format", FIELD_REF(log.format))
          .help("`json`: one JSON object per line. `text`: lines for people."),
      word("log.level", FIELD_REF(log.level))
          .help("The least level that is written.")
          .cost("`debug` writes a line for each batch."),
      integer("shutdown.drain_seconds", FIELD_REF(shutdown.drain_seconds))
          .range(1, 3600)
          .help("After SIGTERM, decided batches have this long to be delivered.")
          .cost("What is not delivered by then is sent at the next start; nothing is lost."),
  };
}

}  // namespace neardup
