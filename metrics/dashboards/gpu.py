"""GPU: whether it works, and what it does. All is zero where the CPU does the sketches."""

from dashboards.model import Dashboard, Panel, Query, Row, mean, quantiles, rate, total

PIECES = rate("neardup_gpu_pieces_total")

WORKS = Row("Does the GPU work?", (
    Panel("Backend",
          "What sketches, by instance.",
          "short", (Query("count by (instance, backend) (neardup_service_info{SCOPE})", "{{instance}} {{backend}}"),),
          kind="names", width=9),
    Panel("On a GPU",
          "Instances that sketch on a GPU now. Normal with backend cuda: all of them.",
          "short", (Query(total("neardup_gpu_active")),), kind="figure", width=5),
    Panel("Failures",
          "Failures of GPUs in the last hour. After each the CPU does the work, with the same flags. Normal: 0.",
          "short", (Query("sum(increase(neardup_gpu_failures_total{SCOPE}[1h]))"),), kind="figure", width=5, alarm=1),
    Panel("Memory",
          "That neardup holds on GPUs.",
          "bytes", (Query(total("neardup_gpu_memory_bytes")),), kind="figure", width=5),
    Panel("Sketched on the CPU instead",
          "Documents a second that the CPU sketched because the GPU had failed. Normal: 0.",
          "short", (Query(rate("neardup_gpu_fallback_documents_total", "instance"), "{{instance}}"),), width=12),
    Panel("Shared by GPU and cores",
          "Documents a second that the GPU sketched, and that cores did because it was busy or had not started.",
          "short", (Query(rate("neardup_gpu_documents_total"), "GPU"),
                    Query(rate("neardup_gpu_shared_documents_total"), "cores")), width=12),
))

DOES = Row("What does it do?", (
    Panel("Phases",
          "Seconds a second by phase, by the GPU's clock. Copies overlap with kernels, so the sum may exceed 1. "
          "Mostly copies: larger batches.",
          "short", (Query(rate("neardup_gpu_seconds_total", "phase"), "{{phase}}"),)),
    Panel("Pieces",
          "Pieces of work a second: copied, computed, copied back.",
          "short", (Query(PIECES, "pieces"),)),
    Panel("Time for a piece",
          "Seconds of each phase for a piece.",
          "s", (Query(f"{rate('neardup_gpu_seconds_total', 'phase')} / on () group_left {PIECES}", "{{phase}}"),),
          empty="no GPU is in use"),
    Panel("Sketching",
          "Seconds of the stage for a batch, on GPU or CPU.",
          "s", quantiles("neardup_stage_duration_seconds", 'stage="sketch"'), width=12, empty="nothing is being read"),
    Panel("Transfer",
          "Mean seconds of copies for a batch, part of sketching. 0 on the CPU.",
          "s", (Query(mean("neardup_stage_duration_seconds", where='stage="transfer"'), "mean"),), width=12,
          empty="nothing is being read"),
))

BOARD = Dashboard("neardup-gpu", "GPU",
                  "Whether sketches are made on a GPU, whether it fails, and where its time goes.",
                  (WORKS, DOES))
