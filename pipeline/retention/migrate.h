// Another rule for the documents of a state: what follows from their sketches can be made anew,
// everything else must stay as it is.
#pragma once

#include <cstdint>
#include <functional>

#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup {

struct Migration {
  Rule from;
  Rule to;
  bool old_format = false;  // of the state
  bool needed() const;      // false: the state has this rule and this program's format
  // Other bands, or an index of another format: all documents are indexed anew.
  bool rebuilds() const {
    return old_format || from.plan.bands != to.plan.bands || from.plan.rows != to.plan.rows;
  }
};

// Throws Failure(kConfig), with both spelled out, where the rules differ in more than threshold,
// bands, rows, bucket cap and retention, and Failure(kUnavailable) for a state without a rule.
Migration plan_migration(Store& store, const Rule& rule);

// Gives the state its new rule, all or nothing. Kept documents stay kept and flagged ones flagged.
// An interrupted call leaves the state as it was, and the next one goes on from there. `progress`
// is told the seq that was reached; what it throws comes through. Returns how many documents were
// indexed anew by this call. Requires: the store was just opened, and is closed afterwards.
std::uint64_t migrate(Store& store, const Migration& migration,
                      const std::function<void(Seq)>& progress);

}  // namespace neardup
