#include "metrics/catalogue_sections.h"
#include "metrics/labels.h"

namespace neardup {

using enum MetricType;
using enum MetricSource;

MetricSection resolver_metrics() {
  return {
      "Resolver",
      "How the resolver that leads decides from the answers of shards; 0 in other roles.",
      {
          {Metric::kAnswersRead,
           kCounter,
           kEvents,
           "neardup_resolver_answers_total",
           "messages",
           "Messages with answers that were read, by what they are. late: about records that are "
           "decided, or older than one that has come; idle: about none, of a shard that has "
           "nothing to answer; ahead: about records further ahead than cluster.window, which "
           "shards and resolvers must have the same; foreign: of another cluster, rule or "
           "partition, or as of a record that is not decided; foreign and damaged: see the log "
           "line.",
           {{"use", label_values<AnswerUse>()}}},
          {Metric::kAskedAgain,
           kCounter,
           kEvents,
           "neardup_resolver_asked_again_total",
           "",
           "Times that all shards were asked to answer again from the next record on. start: this "
           "resolver leads from now on; short_list: a list that shards had cut was too short, "
           "since many of its documents have ended within the window; stall: an answer did not "
           "come, or was too old.",
           {{"reason", label_values<AgainReason>()}}},
          {Metric::kWaitedForShard,
           kCounter,
           kScrape,
           "neardup_resolver_shard_wait_seconds_total",
           "seconds",
           "Waited for an answer of a shard while a record was there to be decided. The shard with "
           "the most sets the pace of the cluster.",
           {{"shard", {}, "its number"}}},
          {Metric::kResolverWindow, kGauge, kEvents, "neardup_resolver_window_records", "records",
           "Records that were decided and that the answers in use do not know yet: they are in the "
           "memory of the resolver."},
          {Metric::kPlacementEpoch, kGauge, kEvents, "neardup_resolver_placement_epoch", "",
           "Epoch of the newest placement that the resolver has read; 0: none was made yet."},
      }};
}

}  // namespace neardup
