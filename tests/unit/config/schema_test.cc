// The JSON Schema of the configuration; tests of the chart hold values against it.
#include <gmock/gmock.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <string>

#include "config/fields.h"
#include "config/show.h"

namespace neardup::TEST_FILE {
namespace {

class Schema : public testing::Test {
 protected:
  Schema() { root_.Parse(schema_json().c_str()); }

  // The part at a JSON pointer, as JSON pointers of `properties` go: "/lsh/bands".
  const rapidjson::Value* property(const std::string& key) {
    std::string pointer;
    for (std::size_t at = 0; at != std::string::npos;) {
      const std::size_t dot = key.find('.', at);
      pointer += "/properties/" + key.substr(at, dot - at);
      at = dot == std::string::npos ? dot : dot + 1;
    }
    return rapidjson::Pointer(pointer.c_str()).Get(root_);
  }

  rapidjson::Document root_;
};

TEST_F(Schema, KnowsEveryKeyWithItsHelp) {
  ASSERT_FALSE(root_.HasParseError());
  for (const Field& field : fields()) {
    const auto* found = property(std::string(field.key));
    ASSERT_TRUE(found) << field.key;
    EXPECT_EQ((*found)["description"].GetString(), field.help);
  }
}

TEST_F(Schema, TakesNoOtherKey) {
  EXPECT_FALSE(root_["additionalProperties"].GetBool());
  for (const Section& section : sections()) {
    if (section.name.empty()) continue;
    EXPECT_FALSE((*property(std::string(section.name)))["additionalProperties"].GetBool());
  }
}

TEST_F(Schema, TellsBoundsDefaultsAndWhatIsSecret) {
  const auto& bands = *property("lsh.bands");
  EXPECT_EQ(bands["minimum"].GetUint64(), 1u);
  EXPECT_EQ(bands["maximum"].GetUint64(), 16384u);
  EXPECT_STREQ(bands["pattern"].GetString(), "^([0-9]+|auto)$");
  EXPECT_STREQ((*property("storage.memory"))["default"].GetString(), "2GiB");
  EXPECT_EQ((*property("threshold"))["maximum"].GetDouble(), 1);
  EXPECT_EQ((*property("sketch.bits"))["enum"].Size(), 12u);
  EXPECT_TRUE((*property("kafka.librdkafka")).HasMember("x-secret-names"));
  EXPECT_FALSE((*property("kafka.secrets")).HasMember("x-secret-names"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
