"""Kafka and exactly once: what is read, delivered, committed."""

from dashboards.model import Dashboard, Panel, Query, Row, quantiles, rate, total

ABORTS = rate("neardup_kafka_transaction_aborts_total")
PARTITION = "{{topic}} {{partition}}"
COMMIT = 'stage="commit"'

BEHIND = Row("How far behind is it, and where?", (
    Panel("Lag by partition",
          "Records that wait in each partition. One alone: its keys bring more than the others', or it is stalled "
          "(the log says so).",
          "short", (Query(total("neardup_kafka_lag_records", "topic, partition"), PARTITION),)),
    Panel("Headroom by partition",
          "Records before the committed position that are still there: so far back a backup may be, or a process have been "
          "away. Less than the lag: records may be deleted before they are read.",
          "short", (Query("min by (topic, partition) (neardup_kafka_headroom_records{SCOPE})", PARTITION),),
          empty="nothing was deleted from the topics yet"),
    Panel("Age of the last commit",
          "Since the position of each partition moved last. It also grows without input: look at the lag as "
          "well.",
          "s", (Query("max by (topic, partition) (neardup_kafka_commit_age_seconds{SCOPE})", PARTITION),), alarm=300),
    Panel("Appended by partition",
          "Offsets a second that producers add. Very unequal: choose other keys.",
          "short", (Query("sum by (topic, partition) (deriv(neardup_kafka_end_offset{SCOPE}[5m]))", PARTITION),)),
    Panel("Committed by partition",
          "Offsets a second that are committed. Normal: as many as appended.",
          "short", (Query("sum by (topic, partition) (deriv(neardup_kafka_committed_offset{SCOPE}[5m]))", PARTITION),)),
    Panel("Records read",
          "Records a second by instance.",
          "short", (Query(rate("neardup_kafka_records_read_total", "instance"), "{{instance}}"),), stacked=True),
    Panel("Bytes read",
          "Keys, values and headers of these, bytes a second.",
          "Bps", (Query(rate("neardup_kafka_read_bytes_total", "instance"), "{{instance}}"),), stacked=True),
))

TRANSACTIONS = Row("Do transactions go through?", (
    Panel("Brokers",
          "Instances that a broker answers. Normal: all of them.",
          "short", (Query("neardup_kafka_brokers_reachable{SCOPE}", "{{instance}}"),), highest=1),
    Panel("Transactions",
          "Committed a second; each holds the flags, dead letters and positions of a batch.",
          "short", (Query(rate("neardup_kafka_transactions_total", "instance"), "{{instance}}"),)),
    Panel("Aborts",
          "Failed attempts a second, which are retried, by reason. No flag is lost or duplicated by them, but "
          "they take time. Normal: none.",
          "short", (Query(rate("neardup_kafka_transaction_aborts_total", "reason"), "{{reason}}"),), stacked=True),
    Panel("Share of aborts",
          "Failed attempts among all. Normal: 0.",
          "percentunit", (Query(f"{ABORTS} / ({ABORTS} + {rate('neardup_kafka_transactions_total')})", "aborted"),),
          highest=1, alarm=0.05, empty="nothing is being delivered"),
    Panel("Producers recreated",
          "A second, after an error; the log says why (producer recreated). Normal: none.",
          "short", (Query(rate("neardup_kafka_producer_reinits_total", "instance"), "{{instance}}"),)),
    Panel("Time to commit",
          "Seconds for the end of a transaction. Some 10 ms on a fast network; more: the brokers or their replicas "
          "are slow.",
          "s", quantiles("neardup_stage_duration_seconds", COMMIT), empty="nothing is being delivered"),
    Panel("Stored and not delivered",
          "Batches in the outbox. At batch.in_flight for long: brokers do not take flags.",
          "short", (Query("neardup_kafka_outbox_batches{SCOPE}", "{{instance}}"),)),
))

OUTPUT = Row("What goes out?", (
    Panel("Messages",
          "Messages a second in committed transactions.",
          "short", (Query(rate("neardup_kafka_messages_delivered_total", "to"), "{{to}}"),)),
    Panel("Dead letters",
          "Records a second that could not be read, by reason; the dead-letter topic holds them.",
          "short", (Query(rate("neardup_dead_letters_total", "reason"), "{{reason}}"),), stacked=True),
    Panel("Share of dead letters",
          "Among all records. Normal: 0.",
          "percentunit",
          (Query(f"{rate('neardup_dead_letters_total')} / {rate('neardup_documents_total')}", "dead letters"),),
          highest=1, alarm=0.01, empty="nothing is being read"),
))

RECOVERY = Row("After a crash or a restore: how far is it?", (
    Panel("Time to serve",
          "From the start of the process to serving. Normal: a second or two.",
          "s", (Query("neardup_recovery_duration_seconds{SCOPE}", "{{instance}}"),)),
    Panel("Batches to deliver",
          "Stored before the last end and not delivered then, and how many of these are by now.",
          "short", (Query(total("neardup_recovery_batches"), "to deliver"),
          Query(total("neardup_recovery_batches_sent"), "delivered"))),
    Panel("Records to decide again",
          "What a restored backup still has to catch up with before it serves. Normal: 0.",
          "short", (Query("neardup_recovery_replay_records{SCOPE}", "{{instance}}"),)),
))

LOG = Row("What goes through the log of a cluster?", (
    Panel("Records sketched",
          "Records a second that the log has acknowledged, by kind; records sketched again count again.",
          "short", (Query(rate("neardup_sketcher_records_total", "kind"), "{{kind}}"),), stacked=True),
    Panel("Bytes appended",
          "Bytes a second of messages of the log, by sketcher. Some 300 a record, more where texts travel.",
          "Bps", (Query(rate("neardup_sketcher_appended_bytes_total", "instance"), "{{instance}}"),), stacked=True),
    Panel("Messages appended",
          "Messages a second. Small ones cost more: raise batch.linger_ms.",
          "short", (Query(rate("neardup_sketcher_messages_total", "instance"), "{{instance}}"),), stacked=True),
    Panel("Time to append",
          "Seconds until a batch is acknowledged. Tens of ms; more: the broker of the log or its replicas are slow.",
          "s", quantiles("neardup_sketcher_append_seconds"), empty="no sketcher is running"),
    Panel("Waiting for decisions",
          "Share of the time that sketchers wait because cluster.log.max_lag bytes are undecided. Normal: 0.",
          "percentunit", (Query(rate("neardup_sketcher_paused_seconds_total", "instance"), "{{instance}}"),),
          highest=1),
    Panel("Failed and sketched again",
          "Attempts to append that failed, and partitions whose messages the readers of the log have skipped, a "
          "second. Nothing is lost by either. Normal: none.",
          "short", (Query(rate("neardup_sketcher_append_failures_total", "instance"), "failed, {{instance}}"),
          Query(rate("neardup_sketcher_restarts_total", "instance"), "skipped, {{instance}}"))),
    Panel("Messages read",
          "Messages a second that deciders have read, by what they are. Messages that are not counted are skipped: "
          "seen and gap are normal after a crash of a sketcher, other_rule while a rule changes; damaged and other_cluster never.",
          "short", (Query(rate("neardup_log_messages_total", "use"), "{{use}}"),), width=24, stacked=True,
          empty="no decider is running"),
))

SHARDS = Row("Do the shards of a cluster keep up?", (
    Panel("Records answered",
          "Records a second that each shard has looked up. All shards look up every record; the slowest sets the pace.",
          "short", (Query(rate("neardup_shard_answered_records_total", "instance"), "{{instance}}"),)),
    Panel("Records applied",
          "Records a second whose decisions are in the state. Much fewer than answered: the resolver asks again, or is slow.",
          "short", (Query(rate("neardup_shard_applied_records_total", "instance"), "{{instance}}"),)),
    Panel("Answers",
          "Answers and decided batches a second. An answer is about a message of the log, 256 records at most.",
          "short", (Query(rate("neardup_shard_answers_total", "instance"), "answers, {{instance}}"),
          Query(rate("neardup_shard_applied_batches_total", "instance"), "batches, {{instance}}"))),
    Panel("Bytes of answers",
          "Bytes a second. Some 3 a record; more where many documents share buckets.",
          "Bps", (Query(rate("neardup_shard_answer_bytes_total", "instance"), "{{instance}}"),), stacked=True),
    Panel("Time to answer",
          "Seconds to look up the records of a message of the log. Some ms; more: the index does not fit the memory.",
          "s", quantiles("neardup_shard_answer_seconds"), empty="no shard is running"),
    Panel("Time to apply",
          "Seconds of work on the decided batches of a commit, before it.",
          "s", quantiles("neardup_shard_apply_seconds"), empty="no shard is running"),
    Panel("Time to commit",
          "Seconds until decisions are on disk. Some ms; more: the disk is slow, or the index is being merged.",
          "s", quantiles("neardup_shard_commit_seconds"), empty="no shard is running"),
    Panel("Asked again, and failed",
          "Resend requests a second from the resolver, and answers that Kafka rejected. Each costs a round "
          "trip. Normal: none, but for the start of a resolver.",
          "short", (Query(rate("neardup_shard_again_total", "instance"), "again, {{instance}}"),
          Query(rate("neardup_shard_answer_failures_total", "instance"), "failed, {{instance}}"))),
))

RESOLVER = Row("What does the resolver of a cluster wait for?", (
    Panel("Waiting for shards",
          "Share of the time that a record was there to be decided and the answer of a shard was not. The shard with the most "
          "sets the pace of the cluster.",
          "percentunit", (Query(rate("neardup_resolver_shard_wait_seconds_total", "shard"), "shard {{shard}}"),),
          empty="no decision had to wait"),
    Panel("Asked again",
          "Resend requests a second to all shards. start: a resolver became the leader; stall: an answer "
          "is missing or too old; short_list: many documents of a bucket end at once.",
          "short", (Query(rate("neardup_resolver_asked_again_total", "reason"), "{{reason}}"),)),
    Panel("Answers read",
          "Messages a second, by what they are. late is normal with replicas, and after shards were asked again; ahead: "
          "cluster.window differs between shards and resolver; foreign and damaged: never.",
          "short", (Query(rate("neardup_resolver_answers_total", "use"), "{{use}}"),), stacked=True),
    Panel("Window",
          "Records that were decided and that the answers in use do not know: in the memory of the resolver. Up to twice "
          "cluster.window.",
          "short", (Query("neardup_resolver_window_records{SCOPE}", "{{instance}}"),)),
    Panel("Placement",
          "Epoch of the newest placement that the resolver has read.",
          "short", (Query("neardup_resolver_placement_epoch{SCOPE}", "{{instance}}"),)),
))

BOARD = Dashboard("neardup-kafka", "Kafka and exactly once",
                  "Which partition is behind, whether transactions go through, what goes out, how far a recovery is, what "
                  "goes through the log of a cluster, whether its shards keep up, and what its resolver waits for.",
                  (BEHIND, TRANSACTIONS, OUTPUT, RECOVERY, LOG, SHARDS, RESOLVER))
