"""Index and RocksDB: what is remembered, whether it fits, whether the disk keeps up."""

from dashboards.model import Dashboard, Panel, Query, Row, quantiles, rate, total

HITS = rate("neardup_rocksdb_block_cache_hits_total")
MISSES = rate("neardup_rocksdb_block_cache_misses_total")
LOOKUP = 'stage="lookup"'

REMEMBERED = Row("What is remembered?", (
    Panel("Documents",
          "Documents that later ones are compared with, and live ids. Growth follows unique content; with retention "
          "it levels off.",
          "short", (Query(total("neardup_index_documents"), "documents"), Query(total("neardup_index_ids"), "ids"))),
    Panel("Postings",
          "Entries of the index, 18 a document with 16 bands; some are of deleted documents, until a merge.",
          "short", (Query(total("neardup_index_postings", "instance"), "{{instance}}"),), stacked=True),
    Panel("Generations",
          "Parts of the index on disk. Normal: below 8 of each size; a steady rise: merging does not keep up.",
          "short", (Query("neardup_index_generations{SCOPE}", "{{instance}}"),)),
    Panel("Leaving the index",
          "Documents a second that were deleted or replaced (ended), or forgotten by retention (expired).",
          "short", (Query(rate("neardup_index_removed_documents_total", "reason"), "{{reason}}"),)),
    Panel("Deleted by command",
          "Documents that `neardup delete` took out since the start.",
          "short", (Query(total("neardup_deletes_by_command_total", "instance"), "{{instance}}"),)),
    Panel("Forgotten before",
          "Share of the arrival numbers that retention has passed. 0: without limits, or not reached yet.",
          "percentunit",
          (Query("neardup_retention_watermark_seq{SCOPE} / (neardup_last_seq{SCOPE} > 0)", "{{instance}}"),),
          highest=1, empty="the state is new"),
    Panel("Stream time behind the clock",
          "How old the latest record is by its own time. Below 0: records from the future, which age all others; "
          "the steps that were cut say so too.",
          "s", (Query("time() - (neardup_stream_time_seconds{SCOPE} > 0)", "{{instance}}"),),
          empty="no record had a time"),
    Panel("Cut steps of time",
          "Documents a second that were further ahead than retention.max_step allows. Normal: none.",
          "short", (Query(rate("neardup_time_steps_cut_total", "instance"), "{{instance}}"),)),
))

ROOM = Row("Does it fit?", (
    Panel("Memory of the state",
          "By part, of all instances. Filters and 1-bit sketches grow with the index up to the budget; then "
          "look-ups read more, and no flag changes.",
          "bytes", (Query(total("neardup_memory_bytes", "part"), "{{part}}"),
          Query(total("neardup_memory_budget_bytes"), "budget (storage.memory)"))),
    Panel("Memory of the process",
          "Resident, and what it may use. Texts and batches in flight come in addition to the budget.",
          "bytes", (Query("process_resident_memory_bytes{SCOPE}", "{{instance}}"),
          Query("neardup_memory_limit_bytes{SCOPE}", "{{instance}} limit"))),
    Panel("Free disk",
          "On the file system of the state. A merge takes up to a whole level of the index for a while.",
          "bytes", (Query("neardup_disk_free_bytes{SCOPE}", "{{instance}}"),)),
    Panel("Size of the state",
          "All its files.",
          "bytes", (Query("neardup_state_bytes{SCOPE}", "{{instance}}"),)),
    Panel("Age of the backup",
          "Since the latest whole backup in backup.directory. An alert fires at two days.",
          "s", (Query("time() - (neardup_backup_last_success_timestamp_seconds{SCOPE} > 0)", "{{instance}}"),),
          empty="no backup.directory, or no backup yet"),
    Panel("Backups",
          "In the last day, by outcome.",
          "short", (Query("sum by (outcome) (increase(neardup_backups_total{SCOPE}[1d]))", "{{outcome}}"),),
          empty="no backup.directory"),
    Panel("Size by family",
          "Files of RocksDB by column family: index are postings, docs the rows of kept documents, ids those of all "
          "ids.",
          "bytes", (Query(total("neardup_rocksdb_live_file_bytes", "family"), "{{family}}"),), stacked=True),
    Panel("Bytes for a document",
          "Disk for each document of the index. Normal: some 560 with 16 bands, more with kept texts.",
          "bytes", (Query("sum(neardup_state_bytes{SCOPE}) / (sum(neardup_index_documents{SCOPE}) > 0)", "mean"),),
          empty="the index is empty"),
))

LOOKUPS = Row("How fast are look-ups?", (
    Panel("Time of look-ups",
          "Seconds for the look-ups of a batch.",
          "s", quantiles("neardup_stage_duration_seconds", LOOKUP), empty="nothing is being read"),
    Panel("Postings read",
          "For each document, in all its buckets. A rise: hot buckets, see Quality.",
          "short", (Query(f"{rate('neardup_postings_read_total')} / {rate('neardup_documents_total')}", "postings"),),
          empty="nothing is being read"),
    Panel("Hits of the block cache",
          "Blocks of RocksDB found in memory. Low and slow look-ups: more storage.memory.",
          "percentunit", (Query(f"{HITS} / ({HITS} + {MISSES})", "hits"),), highest=1, empty="no block is being read"),
))

DISK = Row("Does writing keep up?", (
    Panel("Held up",
          "Seconds a second in which writing waited: for RocksDB, or for flushes and merges of the index. Normal: "
          "0; at 1 nothing is written.",
          "percentunit", (Query(rate("neardup_rocksdb_stall_seconds_total"), "RocksDB"),
          Query(rate("neardup_index_wait_seconds_total"), "index")), alarm=0.2),
    Panel("Stopped or slowed",
          "Instances whose writes RocksDB has stopped, and the rate to which it slows them. Normal: 0.",
          "short", (Query(total("neardup_rocksdb_write_stopped"), "stopped"),
          Query("neardup_rocksdb_delayed_write_bytes_per_second{SCOPE}", "{{instance}} slowed to bytes a second"))),
    Panel("Background errors",
          "Failed flushes and compactions. The service ends at the first. Normal: 0.",
          "short", (Query(total("neardup_rocksdb_background_errors_total"), "errors"),), kind="figure", width=4,
          alarm=1),
    Panel("Background jobs",
          "Running flushes and compactions of RocksDB.",
          "short", (Query(total("neardup_rocksdb_running_jobs", "work"), "{{work}}"),), kind="figure", width=4),
    Panel("Writing",
          "Bytes a second to the log, by flushes, and by compaction. Compaction far above the others: it rewrites "
          "too much.",
          "Bps", (Query(rate("neardup_rocksdb_log_written_bytes_total"), "log"),
          Query(rate("neardup_rocksdb_flush_written_bytes_total"), "flush"),
          Query(rate("neardup_rocksdb_compaction_written_bytes_total"), "compaction"),
          Query(rate("neardup_rocksdb_compaction_read_bytes_total"), "read by compaction"))),
    Panel("Due for compaction",
          "Bytes that RocksDB should rewrite. A steady rise: the disk is too slow.",
          "bytes", (Query(total("neardup_rocksdb_compaction_pending_bytes", "instance"), "{{instance}}"),)),
    Panel("Syncs of the log",
          "A second. One for each batch.",
          "short", (Query(rate("neardup_rocksdb_log_syncs_total", "instance"), "{{instance}}"),)),
    Panel("Upkeep of the index",
          "Threads busy with flushing and merging, behind the back of look-ups. At 1 for hours: it does not keep "
          "up.",
          "short", (Query(rate("neardup_index_maintenance_seconds_total", "work"), "{{work}}"),)),
    Panel("Flushes and merges",
          "Of the index, in the last hour.",
          "short", (Query("sum by (work) (increase(neardup_index_maintenance_runs_total{SCOPE}[1h]))", "{{work}}"),)),
    Panel("Waiting for the index",
          "How long the batch that is being stored has waited for flushes and merges of the index. Normal: 0; from "
          "10 s on the instance is not ready.",
          "s", (Query("neardup_index_waiting_seconds{SCOPE}", "{{instance}}"),), width=12, alarm=10),
    Panel("Merge in progress",
          "How much of it is done; 0 without one. A restart continues where it was saved last. Still for minutes "
          "while a batch waits: the disk hangs.",
          "percentunit", (Query("neardup_index_merge_done_ratio{SCOPE}", "{{instance}}"),), width=12, highest=1),
))

BOARD = Dashboard("neardup-index", "Index and RocksDB",
                  "What is remembered, whether it fits into memory and disk, how fast look-ups are, and whether writing "
                  "keeps up.",
                  (REMEMBERED, ROOM, LOOKUPS, DISK))
