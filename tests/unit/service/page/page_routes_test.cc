#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "service/http/route.h"
#include "service/http/router.h"
#include "service/page/page.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::HasSubstr;

class PageRoutes : public ::testing::Test {
 protected:
  PageRoutes() : router_(routes(), HttpGuard()) {}

  static HttpRoutes routes() {
    HttpRoutes routes;
    add_page_routes(routes);
    return routes;
  }

  HttpAnswer get(const std::string& path, const std::string& accept_coding = "",
                 const std::string& if_none_match = "") {
    RequestHead head;
    head.method = "GET";
    head.path = path;
    head.accept_coding = accept_coding;
    head.if_none_match = if_none_match;
    return *router_.turn(head).refusal;
  }

  static std::string field(const HttpAnswer& answer, std::string_view name) {
    const auto found = std::ranges::find(answer.fields, name, &HttpFields::value_type::first);
    return found == answer.fields.end() ? "" : found->second;
  }

  HttpRouter router_;
};

TEST_F(PageRoutes, AnswerWithTheFiles) {
  EXPECT_EQ(get("/").body, page_document().bytes);
  EXPECT_EQ(get("/").type, "text/html; charset=utf-8");
  EXPECT_EQ(get("/page.css").body, page_style().bytes);
  for (const PageFile& file : page_scripts()) {
    const HttpAnswer answer = get("/page/" + std::string(file.name));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, file.bytes);
    EXPECT_EQ(answer.type, "text/javascript; charset=utf-8");
  }
  EXPECT_EQ(get("/page/index.html").status, 404);
}

TEST_F(PageRoutes, LetOnlyTheirOwnFilesRun) {
  for (const char* path : {"/", "/page.css", "/page/app.js"}) {
    EXPECT_EQ(field(get(path), "Content-Security-Policy"),
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
              "require-trusted-types-for 'script'");
  }
}

TEST_F(PageRoutes, CompressForWhoeverTakesIt) {
  for (const char* codings : {"gzip", "br, gzip;q=0.5", "deflate ,  gzip"}) {
    const HttpAnswer answer = get("/", codings);
    EXPECT_EQ(answer.body, page_document().gzip) << codings;
    EXPECT_EQ(field(answer, "Content-Encoding"), "gzip");
  }
  for (const char* codings : {"", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", ",;,"}) {
    const HttpAnswer answer = get("/", codings);
    EXPECT_EQ(answer.body, page_document().bytes) << codings;
    EXPECT_EQ(field(answer, "Content-Encoding"), "");
  }
  EXPECT_EQ(field(get("/"), "Vary"), "Accept-Encoding");
}

TEST_F(PageRoutes, SendNothingThatTheClientHas) {
  for (const char* coding : {"", "gzip"}) {
    const std::string tag = field(get("/", coding), "ETag");
    const HttpAnswer answer = get("/", coding, "W/\"other\", " + tag);
    EXPECT_EQ(answer.status, 304);
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(field(answer, "ETag"), tag);
    EXPECT_THAT(answer_head(answer, true), ::testing::Not(HasSubstr("Content-Length")));
    EXPECT_EQ(get("/", coding, "\"other\"").status, 200);
  }
  EXPECT_EQ(get("/", "gzip", field(get("/"), "ETag")).status, 200);
}

TEST_F(PageRoutes, AreInTheDocumentWithTheirMediaTypes) {
  const std::string document = openapi_json(routes(), "1");
  for (const char* part :
       {R"("/":{"get")", R"("200":{"description":"The answer.","content":{"text/html":)",
        R"("text/css":)", R"("text/javascript":)", R"("304":{"description":)"}) {
    EXPECT_THAT(document, HasSubstr(part));
  }
}

}  // namespace
}  // namespace neardup::TEST_FILE
