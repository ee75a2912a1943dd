#include "index_crash.h"

namespace neardup::testing::TEST_FILE {
namespace {

TEST_F(IndexCrash, AKilledWriterLeavesAnIndexThatAnswersLikeTheModel) { run_rounds(20); }

}  // namespace
}  // namespace neardup::testing::TEST_FILE
