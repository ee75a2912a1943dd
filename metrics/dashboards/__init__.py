"""What stands on the dashboards of neardup; scripts/dashboards makes Grafana's files and docs/dashboards.md of it."""

from dashboards import gpu, index, kafka, overview, pipeline, quality

ALL = (overview.BOARD, pipeline.BOARD, kafka.BOARD, index.BOARD, quality.BOARD, gpu.BOARD)
