// The sections of the catalogue, in its order. Included by catalogue*.cc only.
#pragma once

#include "metrics/catalogue.h"

namespace neardup {

MetricSection service_metrics();
MetricSection documents_metrics();
MetricSection stages_metrics();
MetricSection candidates_metrics();
MetricSection quality_metrics();
MetricSection kafka_and_exactly_once_metrics();
MetricSection sketcher_metrics();
MetricSection recovery_metrics();
MetricSection cluster_metrics();
MetricSection resolver_metrics();
MetricSection shard_metrics();
MetricSection index_and_state_metrics();
MetricSection memory_and_disk_metrics();
MetricSection rocksdb_metrics();
MetricSection gpu_metrics();
MetricSection process_metrics();

}  // namespace neardup
