"""The source of the dashboards: scripts/dashboards generates Grafana's files and docs/dashboards.md from it."""

from dashboards import gpu, index, kafka, overview, pipeline, quality

ALL = (overview.BOARD, pipeline.BOARD, kafka.BOARD, index.BOARD, quality.BOARD, gpu.BOARD)
