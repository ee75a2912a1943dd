#include "index_crash.h"

namespace neardup::testing {
namespace {

TEST_F(IndexCrash, AKilledWriterLeavesAnIndexThatAnswersLikeTheModel) { run_rounds(20); }

}  // namespace
}  // namespace neardup::testing
