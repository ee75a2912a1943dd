#include "service/http/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/service/http/test_routes.h"

namespace neardup::TEST_FILE {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

RequestHead get(std::string path, std::string query = {}) {
  RequestHead head;
  head.method = "GET";
  head.path = std::move(path);
  head.query = std::move(query);
  return head;
}

TEST(Target, BytesArePercentEncoded) {
  EXPECT_EQ(percent_decoded("a%20b%2Fc+d%c3%A9%00"), std::string("a b/c+d\xc3\xa9\0", 10));
  for (const char* bad : {"%", "%1", "%g0", "a%4", "%+1", "% 1", "%-1"})
    EXPECT_EQ(percent_decoded(bad), std::nullopt) << bad;
}

TEST(Target, AQueryIsNamesAndValues) {
  TargetValues values;
  EXPECT_TRUE(add_query("a=1&&b=x+y%26z&c&d=", values));
  EXPECT_THAT(values,
              ElementsAre(Pair("a", "1"), Pair("b", "x y&z"), Pair("c", ""), Pair("d", "")));
  EXPECT_FALSE(add_query("a=2", values)) << "twice";
  EXPECT_FALSE(add_query("e=%", values));
}

TEST(Target, APatternNamesSegments) {
  EXPECT_THAT(match_path("/v1/{id}/copies", "/v1/a%2Fb/copies").value(),
              ElementsAre(Pair("id", "a/b")));
  EXPECT_THAT(match_path("/v1/{id}", "/v1/%7Bid%7D").value(), ElementsAre(Pair("id", "{id}")));
  EXPECT_TRUE(match_path("/v1/x", "/v1/x"));
  for (const char* other :
       {"/v1", "/v1/", "/v1/a/", "/v1/a/b", "/v1/a%2", "v1/a", "/v2/a", "", "/"})
    EXPECT_FALSE(match_path("/v1/{id}", other)) << other;
}

class Routing : public ::testing::Test {
 protected:
  static HttpAnswer echo(const HttpRequest& request) {
    std::string said;
    for (const auto& [name, value] : request.values) said += name + "=" + value + ";";
    return {200, said};
  }
  static HttpRoutes table() {
    HttpRoute read = get_route("/read/{id}", echo);
    read.access = HttpAccess::kRead;
    read.parameters = {
        {.name = "id", .about = {}},
        {.name = "k", .about = {}, .kind = HttpParameter::Kind::kNumber, .least = 1, .most = 100},
        {.name = "space", .about = {}},
        {.name = "sort", .about = "which way", .words = {"up", "down"}}};
    HttpRoute remove = read;
    remove.methods = {"DELETE"};
    remove.access = HttpAccess::kWrite;
    return {get_route("/open", echo), read, remove};
  }
  static HttpGuard guard() {
    HttpGuard guard;
    guard.set_writers({"writer"});
    guard.set_readers({"reader"});
    guard.restrict_hosts({"Localhost", "[::1]"});
    return guard;
  }
  std::string said(const RequestHead& head) {
    HttpTurn turn = router_.turn(head);
    if (turn.refusal) return std::to_string(turn.refusal->status) + " " + turn.refusal->body;
    return turn.answer("").body;
  }
  RequestHead by(std::string token, std::string method = "GET", std::string host = {}) {
    RequestHead head = get("/read/a");
    head.method = std::move(method);
    head.authorization = "Bearer " + std::move(token);
    head.host = std::move(host);
    return head;
  }

  HttpRouter router_{table(), guard()};
};

TEST_F(Routing, ValuesOfPathAndQueryAreGiven) {
  RequestHead head = get("/read/a%20b", "k=7&space=news");
  head.authorization = "Bearer reader";
  EXPECT_EQ(said(head), "id=a b;k=7;space=news;");
}

TEST_F(Routing, TheTypeOfABodyHasNoParameters) {
  HttpRoute type = get_route("/type", [](const HttpRequest& request) {
    return HttpAnswer{200, request.type};
  });
  HttpRouter router({type}, {});
  RequestHead head = get("/type");
  head.type = "application/json ; charset=utf-8";
  EXPECT_EQ(router.turn(head).answer("").body, "application/json");
}

TEST_F(Routing, WrongValuesAreRefusedWithWhatIsRight) {
  RequestHead head = by("reader");
  for (const char* query : {"k=", "k=0", "k=101", "k=1x", "k=-1", "k=99999999999999999999"}) {
    head.query = query;
    EXPECT_THAT(said(head), HasSubstr("k: give a whole number from 1 to 100")) << query;
  }
  head.query = "K=1";
  EXPECT_THAT(said(head), HasSubstr("K: unknown parameter; known: id, k, space, sort"));
  head.query = "sort=Up";
  EXPECT_THAT(said(head), HasSubstr("sort: give one of up, down: which way"));
  head.query = "sort=down";
  EXPECT_EQ(said(head), "id=a;sort=down;");
  head.query = "id=b";
  EXPECT_THAT(said(head), HasSubstr("wrong_query")) << "it is in the path already";
}

TEST_F(Routing, ProbesMayHaveAnyQuery) { EXPECT_EQ(said(get("/open", "x=%")), ""); }

TEST_F(Routing, TokensSayWhoMayDoWhat) {
  EXPECT_EQ(said(by("reader")), "id=a;");
  EXPECT_EQ(said(by("writer")), "id=a;");
  EXPECT_EQ(said(by("writer", "DELETE")), "id=a;");
  EXPECT_THAT(said(by("reader", "DELETE")), HasSubstr("403 {"));
  EXPECT_THAT(said(by("reader", "DELETE")), HasSubstr("may_only_read"));
  EXPECT_THAT(said(by("other")), HasSubstr("401 {"));
  EXPECT_THAT(said(get("/read/a")), HasSubstr("no_token"));
  EXPECT_EQ(said(get("/open")), "");
}

TEST_F(Routing, WhoAsksIsToldOfWhateverIsAsked) {
  EXPECT_EQ(router_.turn(by("writer")).caller, HttpCaller::kWriter);
  EXPECT_EQ(router_.turn(by("reader", "DELETE")).caller, HttpCaller::kReader) << "refused";
  EXPECT_EQ(router_.turn(by("other")).caller, HttpCaller::kAnybody);
  EXPECT_EQ(router_.turn(get("/open")).caller, HttpCaller::kAnybody);
}

TEST_F(Routing, TheSchemeOfATokenHasAnyCase) {
  for (const char* scheme : {"bearer ", "BEARER ", "BeArEr  "}) {
    RequestHead head = get("/read/a");
    head.authorization = scheme + std::string("reader");
    EXPECT_EQ(said(head), "id=a;") << scheme;
  }
  RequestHead head = get("/read/a");
  for (const char* wrong : {"Bearer READER", "Bearerreader", "Basic reader", "Bearer  "}) {
    head.authorization = wrong;
    EXPECT_THAT(said(head), HasSubstr("no_token")) << wrong;
  }
}

TEST_F(Routing, OpenReadingNeedsNoToken) {
  HttpGuard open = guard();
  open.open_reading();
  HttpRouter router(table(), open);
  EXPECT_FALSE(router.turn(get("/read/a")).refusal);
  RequestHead remove = get("/read/a");
  remove.method = "DELETE";
  EXPECT_EQ(router.turn(remove).refusal->status, 401);
}

TEST_F(Routing, OtherHostsAreRefusedWhateverTheToken) {
  for (const char* host : {"localhost", "LOCALHOST:8080", "[::1]", "[::1]:8080", ""})
    EXPECT_EQ(said(by("writer", "GET", host)), "id=a;") << host;
  for (const char* host :
       {"evil.example", "localhost.evil.example:80", "127.0.0.1", "[::1", "[::1]x", ":", "::1"}) {
    EXPECT_THAT(said(by("writer", "GET", host)), HasSubstr("unknown_host")) << host;
  }
  RequestHead probe = get("/open");
  probe.host = "evil.example";
  EXPECT_EQ(said(probe), "");
}

TEST_F(Routing, TheMethodsOfAPathAreTold) {
  const HttpTurn turn = router_.turn(by("writer", "PATCH"));
  EXPECT_EQ(turn.refusal->status, 405);
  EXPECT_THAT(turn.refusal->fields, ElementsAre(Pair("Allow", "GET, HEAD, DELETE")));
}

class RoutingOfPages : public Routing {
 protected:
  static constexpr const char* kPage = "https://ui.example.org";

  static RequestHead from(const char* origin, RequestHead head) {
    head.origin = origin;
    return head;
  }
  // What a browser asks before it sends a request of this method.
  static RequestHead preflight(const char* origin, std::string path = "/read/a") {
    RequestHead head = from(origin, get(std::move(path)));
    head.method = "OPTIONS";
    head.asked_method = "DELETE";
    return head;
  }

  HttpRouter router_{table(), guard(), HttpCors({kPage, "http://localhost:3000"})};
};

TEST_F(RoutingOfPages, OfAListedOriginMayReadAnswersAndRefusals) {
  for (const char* token : {"reader", "nobody"}) {
    EXPECT_THAT(router_.turn(from(kPage, by(token))).fields,
                ElementsAre(Pair("Access-Control-Allow-Origin", kPage),
                            Pair("Access-Control-Expose-Headers", "Neardup-Counts, Retry-After"),
                            Pair("Vary", "Origin")));
  }
  EXPECT_EQ(router_.turn(from(kPage, by("nobody"))).refusal->status, 401);
}

TEST_F(RoutingOfPages, OfAnotherOriginAreRefusedWhateverTheToken) {
  for (const char* origin :
       {"null", "*", "x", "https://", "https://ui.example.org:8443", "http://ui.example.org",
        "https://ui.example.org.evil.example", "http://localhost", "http://localhost:8081"}) {
    const HttpTurn turn = router_.turn(from(origin, by("writer", "GET", "localhost:8080")));
    ASSERT_TRUE(turn.refusal) << origin;
    EXPECT_EQ(turn.refusal->status, 403) << origin;
    EXPECT_THAT(turn.refusal->body, HasSubstr("unknown_origin")) << origin;
    EXPECT_THAT(turn.fields, ElementsAre()) << origin;
  }
  EXPECT_FALSE(router_.turn(from("https://evil.example", get("/open"))).refusal);
}

TEST_F(RoutingOfPages, OfTheServiceItselfAreAnswered) {
  for (const char* origin : {"", "http://localhost:8080", "https://LOCALHOST:8080"})
    EXPECT_FALSE(router_.turn(from(origin, by("reader", "GET", "localhost:8080"))).refusal)
        << origin;
}

TEST_F(RoutingOfPages, OfAnotherSiteAreRefusedWithoutAnOriginToo) {
  RequestHead head = by("reader");
  head.fetch_site = "Cross-Site";
  EXPECT_EQ(router_.turn(head).refusal->status, 403);
  EXPECT_FALSE(router_.turn(from(kPage, head)).refusal) << "its origin is listed";
  for (const char* site : {"same-origin", "same-site", "none", ""}) {
    head.fetch_site = site;
    EXPECT_FALSE(router_.turn(head).refusal) << site;
  }
}

TEST_F(RoutingOfPages, OfAListedOriginHearBeforeWhatTheyMaySend) {
  const HttpTurn turn = router_.turn(preflight(kPage));
  EXPECT_EQ(turn.refusal->status, 204);
  EXPECT_THAT(turn.refusal->fields,
              ElementsAre(Pair("Access-Control-Allow-Methods", "GET, HEAD, DELETE"),
                          Pair("Access-Control-Allow-Headers",
                               "Authorization, Content-Type, Content-Encoding, Neardup-Rule"),
                          Pair("Access-Control-Max-Age", "600")));
  EXPECT_EQ(turn.fields.front().second, kPage);
  EXPECT_EQ(router_.turn(preflight(kPage, "/nothing")).refusal->status, 404);
}

TEST_F(RoutingOfPages, OfAnotherOriginAreRefusedBefore) {
  const HttpTurn turn = router_.turn(preflight("https://evil.example"));
  EXPECT_EQ(turn.refusal->status, 403);
  EXPECT_THAT(turn.refusal->body, HasSubstr("unknown_origin"));
  EXPECT_THAT(turn.fields, ElementsAre());
}

TEST_F(RoutingOfPages, OptionsOfWhoeverIsNoBrowserAreNoMethod) {
  RequestHead head = preflight(kPage);
  head.asked_method.clear();
  EXPECT_EQ(router_.turn(head).refusal->status, 405);
}

TEST_F(RoutingOfPages, TheHostIsStillLookedAt) {
  EXPECT_THAT(router_.turn(from(kPage, by("writer", "GET", "evil.example"))).refusal->body,
              HasSubstr("unknown_host"));
}

}  // namespace
}  // namespace neardup::TEST_FILE
