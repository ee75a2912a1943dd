#include "service/log/work_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neardup::TEST_FILE {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GpuLogTest : public ::testing::Test {
 protected:
  std::vector<std::string> lines_;
  Log log_{{LogFormat::kText, LogLevel::kInfo},
           [this](std::string_view line) { lines_.emplace_back(line); },
           [] { return std::chrono::system_clock::time_point{}; }};
  GpuLog gpu_{log_};
};

TEST_F(GpuLogTest, AFailureAndTheRecoveryAreToldOnceEach) {
  BackendReport report;
  gpu_.show(report);
  EXPECT_THAT(lines_, IsEmpty());
  report.failures = 1;
  report.last_failure = "waiting for the device: unspecified launch failure";
  report.documents_on_cpu = 256;
  gpu_.show(report);
  report.failures = 2;  // it cannot be made again, either
  report.documents_on_cpu = 5000;
  gpu_.show(report);
  EXPECT_THAT(lines_,
              ElementsAre(AllOf(HasSubstr(" warning GPU failed "),
                                HasSubstr("reason=\"waiting for the device: unspecified launch "
                                          "failure\" failures=1 documents_on_cpu=256"))));
  lines_.clear();
  report.device_active = true;
  gpu_.show(report);
  gpu_.show(report);
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("GPU started"),
                                  AllOf(HasSubstr("GPU works again"), HasSubstr("failures=2"),
                                        HasSubstr("documents_on_cpu=5000"))));
}

TEST_F(GpuLogTest, TheSummaryIsOfADeviceOnly) {
  BackendReport report;
  gpu_.summary(report);
  EXPECT_THAT(lines_, IsEmpty());
  report.times = {3, 0.25, 0.5, 0.125};
  gpu_.summary(report);
  EXPECT_THAT(lines_,
              ElementsAre(HasSubstr("copy_in_seconds=0.25 kernel_seconds=0.5 "
                                    "copy_out_seconds=0.125 pieces=3 "
                                    "documents_on_device=0 documents_shared=0 failures=0")));
}

}  // namespace
}  // namespace neardup::TEST_FILE
