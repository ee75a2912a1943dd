// Whether the topics of a state are still the ones of its positions; without Kafka.
#pragma once

#include <string>
#include <vector>

#include "service/kafka/message/topic_ids.h"
#include "service/kafka/store/recovery_plan.h"

namespace neardup {

// The ids that positions are of: those of the state; where it has none, those in the metadata of
// committed offsets; else those of now. `state`: none for a new one.
TopicIds ids_of_positions(const TopicIds& state, const std::vector<CommittedOffset>& committed,
                          const TopicIds& now);

// Kafka forgets the offsets of a topic that is deleted. Where those of other topics show which
// batch of the state was delivered last, puts back the offsets of `others`, topics that were made
// again.
void restore_offsets(const StateHead& head, const OutboxReader& outbox, const TopicIds& others,
                     std::vector<CommittedOffset>& committed);

// Throws Failure(kUnavailable) when a replay from `head` (nothing: from the first record) up to
// `target` would read records that are gone, since they were in a topic that was deleted.
// `committed`: the ids of the target's positions.
void require_replayable(const StateHead* head, const StateHead& target, const TopicIds& committed,
                        const TopicIds& now);

// Throws as require_replayable for a record of `topic` that was read when topics had the ids
// `then`.
void require_same_topic(const std::string& topic, const TopicIds& then, const TopicIds& now);

// The ids in the metadata of committed offsets.
TopicIds ids_of(const std::vector<CommittedOffset>& committed);

}  // namespace neardup
