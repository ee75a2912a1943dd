"""Pipeline: from text to flag, where the time goes."""

from dashboards.model import Dashboard, Panel, Query, Row, mean, quantiles, rate

DOCUMENTS = rate("neardup_documents_total")
WORK = rate("neardup_stage_duration_seconds_sum", "stage")
BUCKETS = rate("neardup_stage_duration_seconds_bucket", "stage, le")

AMOUNT = Row("How much goes through?", (
    Panel("Documents",
          "Documents a second by instance.",
          "short", (Query(rate("neardup_documents_total", "instance"), "{{instance}}"),), stacked=True),
    Panel("Text",
          "Bytes of text a second, as received and as normalised. Normal: normalised somewhat below.",
          "Bps", (Query(rate("neardup_input_bytes_total"), "as received"),
          Query(rate("neardup_document_bytes_total"), "normalised"))),
    Panel("Size of documents",
          "Mean bytes of text. Stages cost by the byte: large ones explain fewer documents a second.",
          "bytes", (Query(f"{rate('neardup_input_bytes_total')} / {DOCUMENTS}", "mean"),),
          empty="nothing is being read"),
    Panel("Invalid UTF-8",
          "Records a second with ill-formed UTF-8, replaced by U+FFFD. Normal: none; a producer that sends another "
          "encoding loses letters, and its documents look less alike than they are.",
          "short", (Query(rate("neardup_invalid_utf8_records_total", "instance"), "{{instance}}"),)),
    Panel("Not understood",
          "Records a second that were not read as they were meant, and requests in another charset, by kind; the log has a line "
          "for the first of each. Normal: none (docs/formats/records.md says what to do about each kind).",
          "short", (Query(rate("neardup_notices_total", "kind"), "{{kind}}"),)),
    Panel("Size of batches",
          "Records in a batch. Full ones (batch.documents): it works at its limit; small ones: it keeps up, and "
          "batch.linger_ms ends them.",
          "short", quantiles("neardup_batch_documents"), empty="nothing is being read"),
    Panel("Batches",
          "Batches stored a second; each is one synced write and one transaction.",
          "short", (Query(rate("neardup_batch_documents_count", "instance"), "{{instance}}"),)),
    Panel("Stored and not delivered",
          "Batches between the state and Kafka. At batch.in_flight: Kafka is what is waited for.",
          "short", (Query("neardup_kafka_outbox_batches{SCOPE}", "{{instance}}"),)),
))

DELAY = Row("How long does a document take?", (
    Panel("From arrival to flag",
          "From the moment a record was read until its flag was committed. Normal: the linger and some 100 ms.",
          "s", quantiles("neardup_arrival_to_flag_seconds"), width=12, alarm=10, empty="nothing is being read"),
    Panel("Spread of the delay",
          "The same, how many records took how long. Two bands: some batches wait, for a merge or a broker.",
          "s", (Query(rate("neardup_arrival_to_flag_seconds_bucket", "le"), "{{le}}"),), kind="heatmap", width=12),
))

STAGES = Row("Which stage is slow?", (
    Panel("Threads at work",
          "Seconds of work a second by stage, over all threads: what costs most. Stages up to sketch share "
          "cpu.threads; lookup to write are one thread, produce and commit another: one of these near 1 is the "
          "limit.",
          "short", (Query(WORK, "{{stage}}"),), stacked=True, width=12),
    Panel("Time for a document",
          "Mean seconds of each stage for a document. A stage that grew has changed: lookup with the index, verify "
          "with hot buckets, write with the disk, commit with the brokers.",
          "s",
          (Query(f"{WORK} / on () group_left {DOCUMENTS}", "{{stage}}"),),
          width=12, empty="nothing is being read"),
    Panel("Time for a batch",
          "Mean seconds of each stage for a batch.",
          "s", (Query(mean("neardup_stage_duration_seconds", "stage"), "{{stage}}"),), width=12,
          empty="nothing is being read"),
    Panel("Slow batches",
          "Of 100 batches, 99 are done in each stage within this.",
          "s",
          (Query(f"histogram_quantile(0.99, {BUCKETS})", "{{stage}}"),),
          width=12, empty="nothing is being read"),
))

MACHINE = Row("Is the machine the limit?", (
    Panel("CPU",
          "Busy cores. As many as it has: more cores, or fewer documents an instance.",
          "short", (Query("rate(process_cpu_seconds_total{SCOPE}[RATE])", "{{instance}}"),)),
    Panel("CPU for a document",
          "CPU seconds of the whole process for a document.",
          "s", (Query(f"{rate('process_cpu_seconds_total')} / {DOCUMENTS}", "mean"),), empty="nothing is being read"),
    Panel("Open files",
          "Share of the file descriptors that it may have. Normal: a few percent; each file of the state and each "
          "broker takes one.",
          "percentunit", (Query("process_open_fds{SCOPE} / process_max_fds{SCOPE}", "{{instance}}"),), highest=1),
))

BOARD = Dashboard("neardup-pipeline", "Pipeline",
                  "How much goes through, how long a document takes, and which stage is slow.",
                  (AMOUNT, DELAY, STAGES, MACHINE))
