// Gives a state another rule. Data that follow from the sketches (bands, the index) can be computed
// again for the new rule; everything else must stay the same. A state of an older text model gets
// the present one: texts that have other tokens under it are not found again.
#pragma once

#include <cstdint>
#include <functional>

#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

struct Migration {
  Rule from;
  Rule to;
  bool old_format = false;  // the state has an older format
  bool needed() const;      // false: the state already has this rule and this program's format
  // With other bands, or an index of another format, all documents are indexed again.
  bool rebuilds() const {
    return old_format || from.plan.bands != to.plan.bands || from.plan.rows != to.plan.rows;
  }
};

// Throws Failure(kConfig), with both spelled out, where the rules differ in more than text model,
// threshold, bands, rows, bucket cap and retention, and Failure(kUnavailable) for a state without a
// rule.
Migration plan_migration(Store& store, const Rule& rule);

// Gives the state its new rule, all or nothing. Kept documents stay kept and flagged ones flagged.
// An interrupted call leaves the state as it was, and the next one continues its work. `progress`
// is called with the seq that was reached; its exceptions pass through. Returns how many documents
// this call has indexed. Requires: the store was just opened, and is closed afterwards.
std::uint64_t migrate(Store& store, const Migration& migration,
                      const std::function<void(Seq)>& progress);

}  // namespace neardup
