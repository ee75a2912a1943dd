#include "config/values.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace neardup::TEST_FILE {
namespace {

const Field& field(std::string_view key) {
  const Field* found = find_field(key);
  if (found == nullptr) throw std::out_of_range(std::string(key));
  return *found;
}

// The field's value after reading `text`; "refused" when it was.
std::string read(std::string_view key, std::string_view text) {
  Config config;
  return parse_value(field(key), text, config) ? print_value(field(key), config) : "refused";
}

TEST(Ratio, IsExactForEveryMillionth) {
  for (std::uint32_t ppm = 10'000; ppm <= kOne; ++ppm) {
    Config config;
    config.decision.threshold = ppm;
    const std::string text = print_value(field("threshold"), config);
    Config read_back;
    ASSERT_TRUE(parse_value(field("threshold"), text, read_back)) << text;
    ASSERT_EQ(read_back.decision.threshold, ppm) << text;
  }
}

TEST(Ratio, IsPlainDecimalText) {
  Config config;
  ASSERT_TRUE(parse_value(field("threshold"), "0.8", config));
  EXPECT_EQ(config.decision.threshold, 800'000u);
  EXPECT_EQ(read("threshold", "0.800000"), "0.8");
  EXPECT_EQ(read("threshold", "1"), "1");
  EXPECT_EQ(read("threshold", "1.0"), "1");
  for (const char* text : {"",
                           ".",
                           "0.",
                           ".8",
                           "0.8000001",
                           "1.000001",
                           "-0.8",
                           "+0.8",
                           "8e-1",
                           "80%",
                           "0,8",
                           "nan",
                           "inf",
                           "0.8 ",
                           " 0.8",
                           "0x1",
                           "0.-8",
                           "0.+8",
                           "18446744073709551616",
                           "0.009999",
                           "0"}) {
    EXPECT_EQ(read("threshold", text), "refused") << text;
  }
}

TEST(Bytes, UnitsAreBinaryOrDecimal) {
  for (const auto& [text, bytes] :
       std::initializer_list<std::pair<const char*, std::uint64_t>>{{"2048", 2048},
                                                                    {"2048B", 2048},
                                                                    {"2KiB", 2048},
                                                                    {"2 KiB", 2048},
                                                                    {"2kib", 2048},
                                                                    {"2kB", 2000},
                                                                    {"2KB", 2000},
                                                                    {"3MiB", 3u << 20},
                                                                    {"3MB", 3'000'000},
                                                                    {"1GiB", 1u << 30},
                                                                    {"1GB", 1'000'000'000}}) {
    Config config;
    EXPECT_TRUE(parse_value(field("input.max_record_bytes"), text, config)) << text;
    EXPECT_EQ(config.input.max_record_bytes, bytes) << text;
  }
}

TEST(Bytes, NonsenseAndOverflowAreRefused) {
  for (const char* text : {"", "MiB", "1.5MiB", "-1MiB", "1M", "1MiBs", "1Mi B", "17179869184GiB",
                           "18446744073709551615TiB", "18446744073709551617", "2GiB", "1023"}) {
    EXPECT_EQ(read("input.max_record_bytes", text), "refused") << text;
  }
}

TEST(Bytes, ArePrintedInTheLargestBinaryUnitThatFits) {
  EXPECT_EQ(read("batch.max_bytes", "1024MiB"), "1GiB");
  EXPECT_EQ(read("batch.max_bytes", "1536KiB"), "1536KiB");
  EXPECT_EQ(read("batch.max_bytes", "1000"), "1000");
}

TEST(Duration, HasAUnit) {
  for (const auto& [text, ms] : std::initializer_list<std::pair<const char*, std::uint64_t>>{
           {"1s", 1'000}, {"90m", 5'400'000}, {"36h", 129'600'000}, {"7d", 604'800'000}}) {
    Config config;
    EXPECT_TRUE(parse_value(field("retention.max_age"), text, config)) << text;
    EXPECT_EQ(config.retention.max_age_ms, ms) << text;
  }
  for (const char* text : {"", "d", "1", "86400", "1.5d", "-1d", "1D", "1 d", "1w", "1ms", "1d12h",
                           "0s", "0d", "36501d", "18446744073709551615d"}) {
    EXPECT_EQ(read("retention.max_age", text), "refused") << text;
  }
}

TEST(Duration, IsPrintedInTheLargestUnitThatFits) {
  EXPECT_EQ(read("retention.max_age", "48h"), "2d");
  EXPECT_EQ(read("retention.max_age", "90m"), "90m");
  EXPECT_EQ(read("retention.max_age", "3601s"), "3601s");
  EXPECT_EQ(print_value(field("retention.max_step"), Config{}), "1d");
}

TEST(Limits, ZeroIsWithoutLimit) {
  for (const char* key : {"retention.max_age", "retention.max_documents", "retention.max_bytes",
                          "retention.max_step"}) {
    EXPECT_EQ(read(key, "0"), "0") << key;
    EXPECT_TRUE(describe_values(field(key)).starts_with("0 or a ")) << key;
  }
}

TEST(Integer, BoundsAreInclusive) {
  EXPECT_EQ(read("sketch.size", "1"), "1");
  EXPECT_EQ(read("sketch.size", "16384"), "16384");
  for (const char* text :
       {"0", "16385", "-1", "1e3", "0x10", "12 ", " 12", "", "1_000", "99999999999999999999"}) {
    EXPECT_EQ(read("sketch.size", text), "refused") << text;
  }
}

TEST(Integer, AWordStandsForZero) {
  EXPECT_EQ(read("cpu.threads", "auto"), "auto");
  EXPECT_EQ(read("cpu.threads", "0"), "refused");
  EXPECT_EQ(read("sketch.universe", "none"), "none");
  EXPECT_EQ(read("sketch.size", "auto"), "refused");
}

TEST(Integer, ChoicesAreTheOnlyValues) {
  for (const char* text : {"1", "2", "4", "8", "16", "32"})
    EXPECT_EQ(read("sketch.bits", text), text);
  for (const char* text : {"0", "3", "31", "64"}) EXPECT_EQ(read("sketch.bits", text), "refused");
}

TEST(Pointer, MustBeAJsonPointer) {
  for (const char* text : {"/id", "/page/body", "/a~0b~1c", "/", "/0/x"}) {
    EXPECT_EQ(read("input.id_field", text), text);
  }
  for (const char* text : {"", "id", "page/body", "/a~", "/a~2", "$.id"}) {
    EXPECT_EQ(read("input.id_field", text), "refused") << text;
  }
  EXPECT_EQ(read("input.id_field", "/" + std::string(2000, 'a')), "refused");
}

TEST(Seed, Is32HexadecimalDigits) {
  EXPECT_EQ(parse_seed("0000000000000001ffffffffffffffff"), (Seed{1, ~std::uint64_t{0}}));
  EXPECT_EQ(parse_seed("ABCDEF0000000000abcdef0000000000"),
            (Seed{0xabcdef0000000000, 0xabcdef0000000000}));
  for (const char* text :
       {"", "0", "0x00000000000000000000000000000001", "0000000000000001fffffffffffffff",
        "0000000000000001ffffffffffffffff0", "-000000000000001ffffffffffffffff",
        "0000000000000001 fffffffffffffff"}) {
    EXPECT_FALSE(parse_seed(text)) << text;
  }
}

TEST(Topic, FollowsTheRulesOfKafka) {
  for (const std::string& text : {std::string(), std::string("a"), std::string("A-b_c.9"),
                                  std::string("..."), std::string(249, 'x')}) {
    EXPECT_EQ(read("kafka.output_topic", text), text);
  }
  for (const std::string& text : {std::string("."), std::string(".."), std::string("a b"),
                                  std::string("a,b"), std::string("é"), std::string(250, 'x')}) {
    EXPECT_EQ(read("kafka.output_topic", text), "refused") << text;
  }
}

TEST(Topics, StandWithCommasAndEachOnce) {
  for (const char* text : {"", "a", "a,b", "b,a"}) EXPECT_EQ(read("kafka.topics", text), text);
  Config config;
  ASSERT_TRUE(parse_value(field("kafka.topics"), "news,blogs", config));
  EXPECT_EQ(config.kafka.topics, (std::vector<std::string>{"news", "blogs"}));
  for (const char* text : {",", "a,", ",a", "a,,b", "a, b", "a,b,a", ".", "a,.."}) {
    EXPECT_EQ(read("kafka.topics", text), "refused") << text;
  }
}

TEST(Text, IsOneLineThatIsNotTooLong) {
  for (const std::string& text : {std::string(), std::string("a b: é"), std::string(255, 'g')}) {
    EXPECT_EQ(read("kafka.group_id", text), text);
  }
  for (const std::string& text :
       {std::string(256, 'g'), std::string("a\n"), std::string("\x7f"), std::string(1, '\0')}) {
    EXPECT_EQ(read("kafka.group_id", text), "refused") << text;
  }
}

TEST(Origins, AreWhatBrowsersSend) {
  for (const char* text : {"", "https://ui.example.org", "http://localhost:3000",
                           "https://ui.example.org:8443,http://[::1]:8080,http://127.0.0.1"})
    EXPECT_EQ(read("http.cors_origins", text), text);
  for (const char* text :
       {"*", "null", "ui.example.org", "https://", "https://ui.example.org/",
        "https://UI.example.org", "HTTPS://ui.example.org", "file:///x",
        "https://ui.example.org:443", "http://localhost:80", "http://a:x", "https://*.example.org",
        "https://u@ui.example.org", "http://a,http://a"})
    EXPECT_EQ(read("http.cors_origins", text), "refused") << text;
}

TEST(Address, IsAHostAndAPort) {
  for (const char* text : {"127.0.0.1:8080", "localhost:0", "a-b.example:65535", "[::1]:8080",
                           "[::]:1", "[::ffff:10.0.0.1]:80"}) {
    EXPECT_EQ(read("http.listen", text), text);
  }
  for (const char* text : {"",
                           "8080",
                           ":8080",
                           "localhost",
                           "localhost:",
                           "localhost:65536",
                           "localhost:-1",
                           "localhost:+1",
                           "localhost: 1",
                           "localhost:http",
                           "::1:8080",
                           "[::1]",
                           "[::1]8080",
                           "[]:80",
                           "[::g]:80",
                           "[10.0.0.1]:80",
                           "300.0.0.1:80",
                           "1.2.3:80",
                           "a b:80",
                           "http://a:80"}) {
    EXPECT_EQ(read("http.listen", text), "refused") << text;
  }
}

TEST(Map, TakesAnyTextUnderAPlainName) {
  const Field& map = field("kafka.librdkafka");
  Config config;
  EXPECT_FALSE(parse_value(map, "", config)) << "a map has no text of its own";
  for (const std::string& text :
       {std::string(), std::string("a\nb,c = é"), std::string(65'536, 'v')}) {
    ASSERT_TRUE(parse_entry(map, "client.id", text, config));
    EXPECT_EQ(config.kafka.librdkafka, (TextMap{{"client.id", text}}));
  }
  const TextMap before = config.kafka.librdkafka;
  for (const std::string& text : {std::string(65'537, 'v'), std::string("a\0b", 3)}) {
    EXPECT_FALSE(parse_entry(map, "client.id", text, config));
  }
  for (const std::string& name : {std::string(), std::string("a b"), std::string("a\n"),
                                  std::string("é"), std::string(129, 'n')}) {
    EXPECT_FALSE(parse_entry(map, name, "x", config)) << name;
  }
  EXPECT_EQ(config.kafka.librdkafka, before);
}

TEST(Map, OfPathsTakesNoEmptyOne) {
  Config config;
  EXPECT_TRUE(parse_entry(field("kafka.secrets"), "sasl.password", "/run/x", config));
  EXPECT_FALSE(parse_entry(field("kafka.secrets"), "sasl.password", "", config));
  EXPECT_FALSE(
      parse_entry(field("kafka.secrets"), "sasl.password", std::string(4096, '/'), config));
  EXPECT_EQ(config.kafka.secrets, (TextMap{{"sasl.password", "/run/x"}}));
}

TEST(Values, ARefusedValueChangesNothing) {
  for (const Field& each : fields()) {
    Config config;
    const std::string before = print_value(each, config);
    EXPECT_FALSE(parse_value(each, std::string("\0?", 2), config)) << each.key;
    EXPECT_EQ(print_value(each, config), before) << each.key;
  }
}

TEST(Fields, EveryDefaultIsAValueOfItsOwnField) {
  for (const Field& each : fields()) {
    if (is_section(each.key)) continue;  // a map has no value of its own
    Config config;
    EXPECT_TRUE(parse_value(each, print_value(each, Config{}), config)) << each.key;
  }
}

TEST(Fields, BoundsFitTheFieldTheySet) {
  Config config;
  for (const Field& each : fields()) {
    EXPECT_LE(each.min, each.max) << each.key;
    if (std::holds_alternative<std::uint32_t*>(each.slot(config))) {
      EXPECT_LE(each.max, std::numeric_limits<std::uint32_t>::max()) << each.key;
    }
  }
}

TEST(Fields, EveryFieldHasAPlaceOfItsOwn) {
  Config config;
  std::set<const void*> places;
  for (const Field& each : fields()) {
    const void* place = std::visit(
        [](const auto& slot) -> const void* {
          if constexpr (std::is_same_v<std::decay_t<decltype(slot)>, EnumSlot>) {
            return slot.value;
          } else {
            return slot;
          }
        },
        each.slot(config));
    EXPECT_TRUE(places.insert(place).second) << each.key;
  }
}

TEST(Fields, KeysAndTheirVariablesAreUniqueInKnownSectionsAndExplained) {
  std::set<std::string> variables;
  for (const Field& each : fields()) {
    EXPECT_TRUE(variables.insert(environment_name(each.key)).second) << each.key;
    EXPECT_TRUE(section_of(each.key).empty() || is_section(section_of(each.key))) << each.key;
    EXPECT_FALSE(each.help.empty()) << each.key;
    EXPECT_EQ(find_field(each.key), &each);
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
