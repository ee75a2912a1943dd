#include <gmock/gmock.h>

#include "metrics/reference.h"
#include "run_command.h"
#include "service/commands/commands.h"

namespace neardup {
namespace {

TEST(MetricsCommand, PrintsTheReference) {
  EXPECT_EQ(testing::run_command(run_metrics_reference, {"metrics", "reference"}).out,
            metrics_markdown());
}

}  // namespace
}  // namespace neardup
