#include "metrics/catalogue_sections.h"
#include "metrics/labels.h"

namespace neardup {

using enum MetricType;
using enum MetricSource;

MetricSection cluster_metrics() {
  return {"Cluster",
          "The log that the processes of a cluster share.",
          {
              {Metric::kLogMessages,
               kCounter,
               kEvents,
               "neardup_log_messages_total",
               "messages",
               "Messages of the log that this process has read, by what they are. counted: the "
               "records of a chunk, or a placement, hold from here on; all others are passed over. "
               "seen: its records had come before; gap: records before it are missing, and its "
               "sketcher sends them again; other_rule, other_cluster, damaged: see the log line.",
               {{"use", label_values<LogUse>()}}},
          }};
}

}  // namespace neardup
