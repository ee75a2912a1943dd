"""The source of the dashboards: scripts/dashboards generates Grafana's files and docs/dashboards.md from it."""

from dataclasses import replace

from dashboards import gpu, index, kafka, overview, pipeline, quality, rest

BOARDS = (overview.BOARD, pipeline.BOARD, kafka.BOARD, index.BOARD, quality.BOARD, gpu.BOARD)
ALL = (replace(overview.BOARD, rows=(*overview.BOARD.rows, rest.row(BOARDS))), *BOARDS[1:])
