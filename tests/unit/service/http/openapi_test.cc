#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include "service/http/route.h"
#include "tests/unit/service/http/test_routes.h"

namespace neardup::TEST_FILE {
namespace {

class OpenApi : public ::testing::Test {
 protected:
  OpenApi() {
    HttpRoutes routes = operation_routes(health_, "{}");
    routes.push_back({.methods = {"GET"},
                      .path = "/v1/things/{id}",
                      .access = HttpAccess::kRead,
                      .thread = HttpThread::kControl,
                      .name = "get_thing",
                      .about = "A \"thing\".",
                      .parameters = {{.name = "id", .about = "Its id."},
                                     {.name = "k",
                                      .about = "How many.",
                                      .kind = HttpParameter::Kind::kNumber,
                                      .least = 1,
                                      .most = 9}},
                      .gives = "application/json",
                      .problems = {404}});
    routes.push_back(routes.back());
    routes.back().methods = {"PUT", "POST"};
    routes.back().access = HttpAccess::kWrite;
    routes.back().takes = {"text/plain", "application/json"};
    routes.back().fields = {{.name = "Thing-Rule", .about = "Its rule."}};
    routes.back().accepted = "Later.";
    document_.Parse(openapi_json(routes, "1.2.3").c_str());
  }

  const rapidjson::Value* at(const std::string& pointer) const {
    return rapidjson::Pointer(pointer.c_str()).Get(document_);
  }
  std::string text(const std::string& pointer) const {
    const rapidjson::Value* value = at(pointer);
    return value != nullptr && value->IsString() ? value->GetString() : "nothing";
  }

  Health health_;
  rapidjson::Document document_;
};

const std::string kThing = "/paths/~1v1~1things~1{id}";

TEST_F(OpenApi, NamesEveryRoute) {
  ASSERT_FALSE(document_.HasParseError());
  EXPECT_EQ(text("/openapi"), "3.1.0");
  EXPECT_EQ(text("/info/version"), "1.2.3");
  EXPECT_EQ(document_["paths"].MemberCount(), 4u);
  EXPECT_EQ(text("/paths/~1healthz/get/operationId"), "health");
  EXPECT_EQ(text(kThing + "/get/summary"), "A \"thing\".");
  EXPECT_EQ(text(kThing + "/put/operationId"), "get_thing");
  EXPECT_EQ(text(kThing + "/post/operationId"), "get_thing_by_post");
}

TEST_F(OpenApi, TellsParameters) {
  EXPECT_EQ(text(kThing + "/get/parameters/0/in"), "path");
  EXPECT_TRUE(at(kThing + "/get/parameters/0/required")->GetBool());
  EXPECT_EQ(text(kThing + "/get/parameters/1/in"), "query");
  EXPECT_EQ(at(kThing + "/get/parameters/1/required"), nullptr);
  EXPECT_EQ(at(kThing + "/get/parameters/1/schema/maximum")->GetUint(), 9u);
  EXPECT_EQ(at(kThing + "/get/parameters/2"), nullptr);
  EXPECT_EQ(text(kThing + "/put/parameters/2/name"), "Thing-Rule");
  EXPECT_EQ(text(kThing + "/put/parameters/2/in"), "header");
}

TEST_F(OpenApi, TellsWhoMayAsk) {
  EXPECT_EQ(at("/paths/~1healthz/get/security"), nullptr);
  EXPECT_EQ(at(kThing + "/get/security")->Size(), 2u) << "with a token, and perhaps without";
  EXPECT_EQ(at(kThing + "/put/security")->Size(), 1u);
}

TEST_F(OpenApi, TellsBodiesAndStatuses) {
  EXPECT_EQ(at(kThing + "/get/requestBody"), nullptr);
  EXPECT_EQ(text(kThing + "/put/requestBody/content/text~1plain/schema/type"), "string");
  EXPECT_EQ(text(kThing + "/put/requestBody/content/application~1json/schema/type"), "object");
  EXPECT_EQ(text(kThing + "/get/responses/200/content/application~1json/schema/type"), "object");
  for (const char* status : {"400", "401", "403", "404", "408", "431", "500", "503"})
    EXPECT_NE(at(kThing + "/get/responses/" + status), nullptr) << status;
  EXPECT_EQ(at(kThing + "/get/responses/202"), nullptr);
  EXPECT_EQ(text(kThing + "/put/responses/202/description"), "Later.");
  EXPECT_EQ(at(kThing + "/get/responses/413"), nullptr);
  EXPECT_NE(at(kThing + "/put/responses/413"), nullptr);
  EXPECT_EQ(at("/paths/~1version/get/responses/401"), nullptr);
  EXPECT_NE(at(kThing + "/put/responses/415"), nullptr);
  EXPECT_NE(at(kThing + "/put/responses/400/content/application~1problem+json"), nullptr);
  EXPECT_NE(at("/paths/~1healthz/get/responses/503/content/text~1plain"), nullptr);
}

}  // namespace
}  // namespace neardup::TEST_FILE
