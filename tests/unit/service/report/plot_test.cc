#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/report/tune_report.h"
#include "tests/unit/service/commands/run_command.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;

Plot example() {
  return {"a < b & c", "x",
          "y",         {{"one", "#111111", {{0, 0}, {1, 1}}}, {"two", "#222222", {{0.5, 0.25}}}},
          0.8,         "here"};
}

TEST(Plot, IsXmlWithAllLinesAndLabels) {
  const ScratchDirectory scratch;
  const std::string file = scratch.write("plot.svg", svg(example()));
  const auto outcome = testing::run_program(
      "python3 -c \"import sys, xml.etree.ElementTree as tree\n"
      "root = tree.parse('" +
      file +
      "').getroot()\n"
      "name = '{http://www.w3.org/2000/svg}'\n"
      "print(root.tag == name + 'svg', len(root.findall(name + 'polyline')))\n"
      "print('|'.join(text.text for text in root.findall(name + 'text')))\"");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("True 2\n"));
  for (const char* label : {"a < b & c", "|x|", "|y|", "|one|", "|two", "|here|", "0.0|", "1.0|"}) {
    EXPECT_THAT(outcome.out, HasSubstr(label));
  }
}

TEST(Plot, TheAxesRunFromZeroAtTheLowerLeftToOneAtTheUpperRight) {
  EXPECT_THAT(svg(example()), HasSubstr("points=\"70.0,420.0 700.0,50.0\""));
  EXPECT_THAT(svg(example()), HasSubstr("points=\"385.0,327.5\""));
}

}  // namespace
}  // namespace neardup::TEST_FILE
