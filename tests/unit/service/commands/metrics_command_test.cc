#include <gmock/gmock.h>

#include "metrics/reference.h"
#include "service/commands/commands.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

TEST(MetricsCommand, PrintsTheReference) {
  EXPECT_EQ(testing::run_command(run_metrics_reference, {"metrics", "reference"}).out,
            metrics_markdown());
}

}  // namespace
}  // namespace neardup::TEST_FILE
