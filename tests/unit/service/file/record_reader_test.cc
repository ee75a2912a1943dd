#include "service/file/record_reader.h"

#include <gmock/gmock.h>

namespace neardup {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> pointers(const std::vector<RecordField>& fields) {
  std::vector<std::string> found;
  for (const RecordField& field : fields) found.push_back(field.pointer);
  return found;
}

TEST(RecordFields, AreTheOnesOfTheSettings) {
  InputOptions input;
  input.id_field = "/key";
  const auto fields = record_fields(input);
  EXPECT_THAT(pointers(fields), ElementsAre("/key", "/text", "/namespace", "/ts", "/delete"));
  EXPECT_TRUE(fields[0].required);
  EXPECT_TRUE(fields[1].required);
  EXPECT_FALSE(fields[2].required);
  EXPECT_THAT(fields[0].others, IsEmpty());
}

TEST(RecordFields, HaveTheUrlWhereFlagsHaveIt) {
  OutputOptions output;
  output.fields = {"url"};
  EXPECT_THAT(pointers(record_fields({}, output)), testing::Contains("/url"));
}

TEST(RecordFields, OfIdsThatAreFoundMayBeMissing) {
  InputOptions input;
  input.id = InputId::kAuto;
  const auto fields = record_fields(input);
  EXPECT_FALSE(fields[0].required);
  EXPECT_THAT(fields[0].others, testing::Contains("/url"));
  EXPECT_TRUE(fields[1].required);
  EXPECT_THAT(fields[1].others, testing::Contains("/content"));
}

}  // namespace
}  // namespace neardup
