"""Overview: the first page to open when an alert fires."""

from dashboards.model import Dashboard, Panel, Query, Row, quantiles, rate, total

# The number of instances that each group should have. The range of a day keeps the number of a group that has stopped.
INSTANCES = "sum(max by (namespace, job, group) (last_over_time(neardup_instances{SERVICE}[1d])))"
LAG = total("neardup_kafka_lag_records")
READ = rate("neardup_kafka_records_read_total")
DUPLICATES = rate("neardup_documents_total", where='status=~"exact_duplicate|near_duplicate"')

HEALTHY = Row("Is it healthy?", (
    Panel("Alerts",
          "Names of the alerts that fire; each has a page in docs/runbooks. Normal: none.",
          "short",
          (Query('count by (alertname) (ALERTS{SCOPE,alertname=~"Neardup.+",alertstate="firing"})', "{{alertname}}"),),
          kind="names", width=6, empty="no alert fires"),
    Panel("Not ready",
          "Instances of the chosen jobs whose /readyz does not say ready (their log says why), or that Prometheus does "
          "not see. Normal: 0.",
          "short", (Query(f"{INSTANCES} - (sum(neardup_ready{{SERVICE}}) or vector(0))"),), kind="figure", width=3,
          alarm=1),
    Panel("State",
          "What each instance is doing. Normal: serving.",
          "short", (Query("neardup_service_state{SCOPE} == 1", "{{instance}} {{state}}"),), kind="names", width=7),
    Panel("Running for",
          "Since the latest start of an instance. Always some minutes: it is restarted in a loop.",
          "s", (Query("time() - max(process_start_time_seconds{SCOPE})"),), kind="figure", width=4),
    Panel("Version",
          "What runs. More than one: an upgrade is under way.",
          "short", (Query("count by (version) (neardup_build_info{SCOPE})", "{{version}}"),), kind="names", width=4),
))

BEHIND = Row("How far behind is it?", (
    Panel("Lag",
          "Records that wait in the input topics. Normal: what comes in within a second or two.",
          "short", (Query(LAG),), kind="figure", width=6),
    Panel("Lag in time",
          "How long the present rate of reading needs for the lag, if nothing more came. Normal: seconds.",
          "s", (Query(f"{LAG} / {READ}"),), kind="figure", width=6, empty="nothing is being read"),
    Panel("Delay",
          "Of 100 records, 99 have their flag committed so soon after they were read. Normal: below a second.",
          "s", (quantiles("neardup_arrival_to_flag_seconds")[2],), kind="figure", width=6, alarm=10,
          empty="nothing is being read"),
    Panel("Age",
          "Of 100 records, 99 are at most so old when their flag is committed, by their own time: the delay that "
          "readers of flags see. Much above the delay: they waited in the topic, or came late.",
          "s", (quantiles("neardup_record_age_seconds")[2],), kind="figure", width=6, empty="nothing is being read"),
    Panel("Records in and out",
          "Records a second that producers append, that are read, and that are decided. Normal: the lines lie on "
          "each other; while appended is above the others, the lag grows.",
          "short", (Query("sum(deriv(neardup_kafka_end_offset{SCOPE}[5m]))", "appended"), Query(READ, "read"),
          Query(rate("neardup_documents_total"), "decided")), width=12),
    Panel("Lag by instance",
          "Which instance is behind. One alone: its partitions get more, or it is slow; all: look at the pipeline.",
          "short", (Query(total("neardup_kafka_lag_records", "instance"), "{{instance}}"),), width=12),
))

FLAGS = Row("What does it flag?", (
    Panel("Flags",
          "Flags a second by status. What is normal is your data's: look for a change.",
          "short", (Query(rate("neardup_documents_total", "status"), "{{status}}"),), stacked=True, width=12),
    Panel("Duplicates",
          "Share of exact and near-duplicates. A sudden rise: a producer sends again what it sent, or a new "
          "template; a sudden fall: other data, or an empty index.",
          "percentunit", (Query(f"{DUPLICATES} / {rate('neardup_documents_total')}", "duplicates"),), width=6,
          highest=1, empty="nothing is being read"),
    Panel("Dead letters",
          "Records a second that could not be read, by reason. Normal: none.",
          "short", (Query(rate("neardup_dead_letters_total", "reason"), "{{reason}}"),), stacked=True, width=6),
))

ROOM = Row("Has it room?", (
    Panel("Memory",
          "Resident memory as a share of what the process may use. At 1 it is killed.",
          "percentunit",
          (Query("process_resident_memory_bytes{SCOPE} / neardup_memory_limit_bytes{SCOPE}", "{{instance}}"),),
          highest=1, alarm=0.9),
    Panel("Disk",
          "Used share of the file system that holds the state. Merging needs room for a level of the index.",
          "percentunit",
          (Query("1 - neardup_disk_free_bytes{SCOPE} / neardup_disk_size_bytes{SCOPE}", "{{instance}}"),), highest=1,
          alarm=0.95),
    Panel("CPU",
          "Busy cores in each instance. As many as it has: the CPU is the limit.",
          "short", (Query("rate(process_cpu_seconds_total{SCOPE}[RATE])", "{{instance}}"),)),
    Panel("HTTP connections",
          "Open at the HTTP port. Normal: a few; at http.max_connections the oldest is closed for each new one.",
          "short", (Query("neardup_http_connections{SCOPE}", "{{instance}}"),), width=12),
    Panel("HTTP connections cut",
          "Connections a second that were closed because a limit was reached, by limit. Normal: none; else somebody "
          "floods the port, or sends requests too slowly or too large.",
          "short", (Query(rate("neardup_http_connections_cut_total", "limit"), "{{limit}}"),), stacked=True, width=12),
    Panel("HTTP answers that wait",
          "Share of the room for answers that wait for their clients, in memory and on disk. Memory may be full: the rest goes to "
          "disk. At 100 % of the disk requests are refused: raise http.spool_disk, or see who reads slowly.",
          "percentunit", (Query("neardup_http_spool_bytes{SCOPE} / neardup_http_spool_limit_bytes{SCOPE}", "{{instance}} {{where}}"),),
          width=12),
    Panel("HTTP requests rejected",
          "Requests a second. Normal: none; else answers are too large, their clients read slowly, or somebody sends many large bodies "
          "at once.",
          "short", (Query(rate("neardup_http_refused_total", "room"), "{{room}}"),), stacked=True, width=12),
))

BOARD = Dashboard(
    "neardup-overview", "Overview",
    "Whether all is well, how far behind it is, what it flags, and whether it has room: the page to open first.",
    (HEALTHY, BEHIND, FLAGS, ROOM))
