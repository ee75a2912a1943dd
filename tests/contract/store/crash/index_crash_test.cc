#include "index_crash.h"

namespace neardup::testing::TEST_FILE {
namespace {

TEST_F(IndexCrash, AKilledWriterLeavesAnIndexThatAnswersLikeTheModel) { run_rounds(8); }

}  // namespace
}  // namespace neardup::testing::TEST_FILE
