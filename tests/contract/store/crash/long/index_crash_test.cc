#include "tests/contract/store/crash/index_crash.h"

namespace neardup::testing::TEST_FILE {
namespace {

TEST_F(IndexCrash, AKilledWriterLeavesAnIndexThatAnswersLikeTheModelManyTimes) { run_rounds(150); }

}  // namespace
}  // namespace neardup::testing::TEST_FILE
