#include <gtest/gtest.h>

#include "service/log/work_log.h"

namespace neardup::TEST_FILE {
namespace {

TEST(GpuReport, NothingIsSaidOfTheCpuAlone) { EXPECT_EQ(gpu_report_text({}), ""); }

TEST(GpuReport, ThePhasesAreTold) {
  BackendReport report;
  report.times = {12, 0.25, 0.5, 0.0625};
  report.documents_on_device = 390;
  report.documents_shared = 610;
  EXPECT_EQ(gpu_report_text(report),
            "GPU: sketched 39.0 % of the documents, cores the rest; 0.250 s copying to it, 0.500 s "
            "computing, 0.062 s copying back, in 12 pieces\n");
  EXPECT_EQ(gpu_report_json(report),
            R"({"pieces":12,"copy_in_seconds":0.250000,"kernel_seconds":0.500000,)"
            R"("copy_out_seconds":0.062500,"documents_on_device":390,"documents_shared":610,)"
            R"("failures":0,"documents_on_cpu":0})");
}

TEST(GpuReport, FailuresAreTold) {
  BackendReport report;
  report.failures = 2;
  report.documents_on_cpu = 300;
  report.last_failure = "it said \"no\"";
  EXPECT_EQ(gpu_report_text(report),
            "GPU: sketched 0.0 % of the documents, cores the rest; 0.000 s copying to it, 0.000 s "
            "computing, 0.000 s copying back, in 0 pieces\n"
            "GPU failures: 2, the last: it said \"no\"; 300 documents were done on the CPU\n");
  EXPECT_NE(gpu_report_json(report).find(
                R"("failures":2,"documents_on_cpu":300,"last_failure":"it said \"no\""})"),
            std::string::npos);
}

}  // namespace
}  // namespace neardup::TEST_FILE
