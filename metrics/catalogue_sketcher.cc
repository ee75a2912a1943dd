#include "metrics/catalogue_sections.h"
#include "metrics/labels.h"

namespace neardup {
namespace {

using enum MetricType;
using enum MetricSource;

}  // namespace

MetricSection sketcher_metrics() {
  return {
      "Sketcher",
      "What a sketcher appends to the log of its cluster; 0 in other roles.",
      {
          {Metric::kSketchedRecords,
           kCounter,
           kEvents,
           "neardup_sketcher_records_total",
           "records",
           "Records whose chunks the log has acknowledged, those that were sketched again among "
           "them.",
           {{"kind", label_values<RecordKind>()}}},
          {Metric::kAppendedMessages, kCounter, kEvents, "neardup_sketcher_messages_total",
           "messages", "Messages that the log has acknowledged."},
          {Metric::kAppendedBytes, kCounter, kEvents, "neardup_sketcher_appended_bytes_total",
           "bytes", "Bytes of these messages."},
          {Metric::kAppendDuration,
           kHistogram,
           kEvents,
           "neardup_sketcher_append_seconds",
           "seconds",
           "From the end of a batch until the log has acknowledged all its messages.",
           {},
           {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}},
          {Metric::kAppendFailures, kCounter, kEvents, "neardup_sketcher_append_failures_total", "",
           "Messages refused or not acknowledged in time: what is not committed is "
           "sketched again with a new producer."},
          {Metric::kSketchedAgain, kCounter, kEvents, "neardup_sketcher_restarts_total", "",
           "Partitions that were sketched again from their accepted position, since the "
           "readers of the log have passed over messages of theirs."},
          {Metric::kSketchingPaused, kCounter, kEvents, "neardup_sketcher_paused_seconds_total",
           "seconds",
           "Waited because the log holds more than cluster.log.max_lag undecided bytes."},
      }};
}

}  // namespace neardup
