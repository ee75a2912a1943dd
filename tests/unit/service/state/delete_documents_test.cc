#include "service/state/delete_documents.h"

#include <gmock/gmock.h>

#include "pipeline/base/failure.h"
#include "pipeline/retention/delete_log.h"
#include "pipeline/retention/retention.h"
#include "pipeline/state_keys.h"
#include "service/state/delete_log_file.h"
#include "storage/memory_store.h"
#include "tests/scratch_directory.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class DeleteDocuments : public testing::Test {
 protected:
  DeleteDocuments() {
    WriteSet writes;
    for (Seq seq = 1; seq <= 9; ++seq) {
      DocumentRow row;
      row.seq = seq;
      row.id = std::string(1, static_cast<char>('a' + seq - 1));
      row.text_bytes = 100;
      writes.documents.push_back({row, {}, {}});
      writes.ids.push_back({{"", row.id}, {.seq = seq}});
    }
    writes.ids.push_back(
        {{"", "copy"}, {.seq = 10, .kept = false, .has_document = false, .original = 1}});
    writes.ids.push_back({{"other", "a"}, {.seq = 11, .has_document = false}});
    writes.meta = {{std::string(kMetaNextSeq), "12"},
                   {std::string(kMetaTextBytes), "900"},
                   {"uuid", "state-1"}};
    store_->commit(writes);
  }

  DeleteReport erase(std::vector<std::string> ids, const std::string& name_space = "") {
    return delete_documents(scratch_.path(), name_space, std::move(ids), 1234, state_);
  }
  std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> found;
    for (const auto& entry : read_delete_log(scratch_.file("deletes")).entries)
      found.push_back(entry.number);
    return found;
  }

  ScratchDirectory scratch_;
  std::unique_ptr<Store> store_ = open_memory_store({}, OpenMode::kReadWrite);
  OwnState state_{*store_};
};

TEST_F(DeleteDocuments, OnesThatStandTwiceCountOnceAndUnknownOnesAreNamed) {
  const DeleteReport report = erase({"b", "nobody", "copy", "b"});
  EXPECT_EQ(report.deleted, 2);
  EXPECT_EQ(report.documents, 1);
  EXPECT_EQ(report.text_bytes, 100);
  EXPECT_THAT(report.unknown, ElementsAre("nobody"));
  EXPECT_EQ(store_->size().documents, 8);
  EXPECT_EQ(store_->size().ids, 9);
  EXPECT_EQ(store_->meta(kMetaTextBytes), "800");
}

TEST_F(DeleteDocuments, EachIsLoggedWithItsPlace) {
  erase({"b"});
  erase({"a"}, "other");
  const DeleteLog log = read_delete_log(scratch_.file("deletes"));
  EXPECT_EQ(log.state, "state-1");
  EXPECT_THAT(log.entries, ElementsAre(LoggedDelete{1, 12, 2, 1234, {"", "b"}},
                                       LoggedDelete{2, 12, 11, 1234, {"other", "a"}}));
  EXPECT_EQ(read_deletes(*store_, kMetaDeleteLog), log.entries);
}

TEST_F(DeleteDocuments, NothingIsLoggedWhereNothingWasDeleted) {
  EXPECT_EQ(erase({"nobody"}).deleted, 0);
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("deletes")));
}

TEST_F(DeleteDocuments, TheFileIsMendedWhereverItsWriterWasKilled) {
  erase({"a", "b"});
  erase({"c"});
  const std::string whole = scratch_.read("deletes");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    scratch_.write("deletes", whole.substr(0, size));
    mirror_deletes(scratch_.path(), *store_);
    ASSERT_EQ(scratch_.read("deletes"), whole) << "cut after " << size << " bytes";
  }
  std::filesystem::remove(scratch_.file("deletes"));
  mirror_deletes(scratch_.path(), *store_);
  EXPECT_EQ(scratch_.read("deletes"), whole);
}

TEST_F(DeleteDocuments, AFileOfAnotherStateIsReplaced) {
  scratch_.write("deletes",
                 "{\"neardup_deletes\":1,\"state\":\"state-2\"}\n"
                 "{\"number\":7,\"before_seq\":1,\"seq\":1,\"time_ms\":1,"
                 "\"namespace\":\"\",\"id\":\"x\"}\n");
  erase({"a"});
  EXPECT_EQ(read_delete_log(scratch_.file("deletes")).state, "state-1");
  EXPECT_THAT(numbers(), ElementsAre(1));
}

TEST_F(DeleteDocuments, NumbersGoOnAfterTheLogWasForgotten) {
  erase({"a", "b"});
  WriteSet forget;
  for (const auto& [key, value] : store_->meta_with_prefix(kMetaDeleteLog))
    forget.meta.emplace_back(key, "");
  store_->commit(forget);
  forget_deletes(scratch_.path());
  erase({"c"});
  EXPECT_THAT(numbers(), ElementsAre(3));
}

TEST_F(DeleteDocuments, IdsOfAnyCharactersAreReadBack) {
  WriteSet writes;
  const std::string odd("\n\"\\\x01 \xc3\xa9 \xf0\x9f\x98\x80", 12);
  writes.ids.push_back({{odd, odd}, {.seq = 12, .has_document = false}});
  store_->commit(writes);
  EXPECT_EQ(erase({odd}, odd).deleted, 1);
  EXPECT_THAT(read_delete_log(scratch_.file("deletes")).entries,
              ElementsAre(LoggedDelete{1, 12, 12, 1234, {odd, odd}}));
}

TEST_F(DeleteDocuments, ManyAreDoneInSeveralCommits) {
  std::vector<std::string> ids{"a", "i"};
  for (int i = 0; i < 10'000; ++i) ids.push_back("x" + std::to_string(i));
  const DeleteReport report = erase(ids);
  EXPECT_EQ(report.deleted, 2);
  EXPECT_EQ(report.unknown.size(), 10'000);
  EXPECT_EQ(store_->meta(kMetaTextBytes), "700");
}

TEST(ReadDeleteLog, WhatIsNoLogIsRefused) {
  const ScratchDirectory scratch;
  for (const char* bytes : {"", "{}\n", "x\n", "{\"neardup_deletes\":2,\"state\":\"s\"}\n",
                            "{\"neardup_deletes\":1,\"state\":\"s\"}\n{\"number\":1}\n"}) {
    scratch.write("log", bytes);
    EXPECT_THROW(read_delete_log(scratch.file("log")), Failure) << bytes;
  }
  EXPECT_THROW(read_delete_log(scratch.file("none")), Failure);
}

TEST(ReadDeleteLog, EntriesThatDoNotFollowEachOtherAreRefused) {
  const ScratchDirectory scratch;
  const auto read = [&](const std::string& numbers, const std::string& id) {
    const std::string entry =
        "{" + numbers + R"(,"time_ms":1,"namespace":"","id":")" + id + "\"}\n";
    scratch.write("log", "{\"neardup_deletes\":1,\"state\":\"s\"}\n" + entry + entry);
    return read_delete_log(scratch.file("log")).entries.size();
  };
  for (const char* numbers :
       {R"("number":0,"before_seq":5,"seq":1)", R"("number":1000000000000,"before_seq":5,"seq":1)",
        R"("number":1,"before_seq":0,"seq":1)", R"("number":1,"before_seq":5,"seq":0)",
        R"("number":1,"before_seq":1099511627777,"seq":1)",
        R"("number":1,"before_seq":5,"seq":1099511627776)"}) {
    try {
      read(numbers, "a");
      ADD_FAILURE() << numbers;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.exit(), Exit::kUnreadable);
      EXPECT_THAT(failure.what(), testing::HasSubstr("log:2: not an entry that follows"));
    }
  }
  const char* sound = R"("number":1,"before_seq":5,"seq":1)";
  EXPECT_THROW(read(sound, ""), Failure);
  EXPECT_THROW(read(sound, std::string(1025, 'x')), Failure);
  try {
    read(sound, "a");  // the second has the number of the first
    ADD_FAILURE() << "a number twice";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), testing::HasSubstr("log:3: not an entry that follows"));
  }
}

TEST(DeleteReportTest, ReadsBackAsItWasWritten) {
  const DeleteReport report{5, 4, 3, {"x", "\"\n", ""}};
  const DeleteReport read = parse_delete_report(delete_report_json(report));
  EXPECT_EQ(read.deleted, 5);
  EXPECT_EQ(read.documents, 4);
  EXPECT_EQ(read.text_bytes, 3);
  EXPECT_EQ(read.unknown, report.unknown);
  EXPECT_THROW(parse_delete_report("{}"), Failure);
}

}  // namespace
}  // namespace neardup::TEST_FILE
