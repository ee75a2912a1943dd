#include "service/file/file_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/model/text_batch.h"
#include "tests/unit/service/file/support.h"

namespace neardup::TEST_FILE {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Strings = std::vector<std::string>;

// A state that holds only meta values.
struct State {
  std::map<std::string, std::string> values;
  MetaValues stored() const { return {values.begin(), values.end()}; }
  void store(const MetaValues& positions) {
    for (const auto& [key, value] : positions) values[key] = value;
  }
};

// The next chunk as "input:line:bytes" of each record.
Strings chunk_of(FileSource& source, std::size_t max_records, std::uint64_t max_bytes = 1 << 30) {
  RawChunk read;
  const bool more = source.read(max_records, max_bytes, read);
  const RawChunk chunk = std::move(read);  // chunks travel between threads
  EXPECT_EQ(more, !chunk.records.empty());
  Strings records;
  for (const RawRecord& record : chunk.records) {
    EXPECT_TRUE(record.too_large || record.bytes.size() == record.size);
    records.push_back(std::to_string(record.source.input) + ":" +
                      std::to_string(record.source.place) + ":" +
                      (record.too_large ? "too large" : std::string(record.bytes)));
  }
  return records;
}

void append(Strings& to, const Strings& from) { to.insert(to.end(), from.begin(), from.end()); }

// Reads to the end, storing positions after each chunk.
Strings drain(FileSource& source, State& state, std::size_t max_records = 100) {
  Strings all;
  while (true) {
    const Strings chunk = chunk_of(source, max_records);
    state.store(source.positions());
    if (chunk.empty()) return all;
    append(all, chunk);
  }
}

class FileSourceTest : public testing::Test {
 protected:
  Strings run(const Strings& paths, std::size_t max_records = 100, bool rescan = false) {
    FileSource source(paths, state.stored(), {.durable = true, .rescan = rescan});
    Strings records = drain(source, state, max_records);
    notes = source.notes();
    return records;
  }
  Exit exit_of_run(const Strings& paths) {
    try {
      run(paths);
    } catch (const Failure& failure) {
      message = failure.what();
      return failure.exit();
    }
    ADD_FAILURE() << "no failure";
    return Exit::kInternal;
  }
  // Reads one chunk and is killed after its positions were stored.
  Strings interrupted(const Strings& paths, std::size_t max_records) {
    FileSource source(paths, state.stored(), {.durable = true});
    Strings records = chunk_of(source, max_records);
    state.store(source.positions());
    return records;
  }

  ScratchDirectory folder;
  State state;
  Strings notes;
  std::string message;
};

TEST_F(FileSourceTest, reads_inputs_one_after_the_other) {
  const std::string a = folder.write("a", "{1}\n\n{2}\n"), b = folder.write("b", gzip("{3}\n"));
  const std::string c = folder.write("c", ""), d = folder.write("d", "{4}");
  EXPECT_THAT(run({a, b, c, d}), ElementsAre("0:1:{1}", "0:3:{2}", "1:1:{3}", "3:1:{4}"));
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(FileSourceTest, a_chunk_ends_at_either_limit) {
  const std::string a = folder.write("a", "{1}\n{2}\n{3}\n{4}\n{5}\n");
  FileSource source({a}, {}, {});
  EXPECT_EQ(chunk_of(source, 2).size(), 2);
  EXPECT_EQ(chunk_of(source, 100, 4).size(), 2);  // the second record reaches the limit
  EXPECT_EQ(chunk_of(source, 100, 1).size(), 1);
  EXPECT_THAT(chunk_of(source, 100), IsEmpty());
  EXPECT_THAT(chunk_of(source, 100), IsEmpty());
}

TEST_F(FileSourceTest, records_may_be_read_past_their_end) {
  FileSource source({folder.write("a", "{1}\n")}, {}, {});
  RawChunk chunk;
  ASSERT_TRUE(source.read(9, 99, chunk));
  EXPECT_GE(chunk.buffer.data() + chunk.buffer.size(),
            chunk.records[0].bytes.data() + chunk.records[0].bytes.size() + kTextPadding);
}

TEST_F(FileSourceTest, an_interrupted_run_goes_on_after_its_last_stored_chunk) {
  const std::string a = folder.write("a", "{1}\n\n{2}\r\n{3}\n"),
                    b = folder.write("b", gzip("{4}\n{5}"));
  const std::string c = folder.write("c", zstd("\n{6}\n{7}\n"));
  State fresh;
  FileSource once({a, b, c}, {}, {.durable = true});
  const Strings whole = drain(once, fresh);
  ASSERT_EQ(whole.size(), 7);
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    state = {};
    Strings parts;
    for (int runs = 0; runs < 10; ++runs) append(parts, interrupted({a, b, c}, size));
    EXPECT_EQ(parts, whole) << size;
  }
}

TEST_F(FileSourceTest, a_file_cut_at_any_byte_and_grown_later_gives_the_same_records) {
  const std::string text = "\xef\xbb\xbf{\"a\":\"}\"}\n\n{\"b\":[1]}\r\n{\"c\":{}}\n{\"d\":1}";
  const std::string whole_path = folder.write("whole", text);
  State fresh;
  FileSource once({whole_path}, {}, {.durable = true});
  const Strings whole = drain(once, fresh);
  ASSERT_EQ(whole.size(), 4);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    state = {};
    const std::string path = folder.write("grows", text.substr(0, cut));
    Strings records = run({path});
    append(records, run({path}));
    folder.write("grows", text);
    append(records, run({path}));
    EXPECT_EQ(records, whole) << "cut at " << cut;
  }
}

TEST_F(FileSourceTest, a_last_line_that_is_not_whole_is_left_with_a_note) {
  const std::string a = folder.write("a", "{1}\n{\"id\":");
  EXPECT_THAT(run({a}), ElementsAre("0:1:{1}"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("line 2 is not complete")));
  EXPECT_THAT(run({a}), IsEmpty());
  folder.write("a", "{1}\n{\"id\":2}\n");
  EXPECT_THAT(run({a}), ElementsAre("0:2:{\"id\":2}"));
}

TEST_F(FileSourceTest, without_a_later_run_a_cut_last_line_is_a_record) {
  FileSource source({folder.write("a", "{1}\n{\"id\":")}, {}, {.durable = false});
  EXPECT_THAT(drain(source, state), ElementsAre("0:1:{1}", "0:2:{\"id\":"));
  EXPECT_THAT(state.values, IsEmpty());
}

TEST_F(FileSourceTest, a_last_line_over_the_limit_is_a_record) {
  FileSource source({folder.write("a", "{1}\n{\"id\":")}, {},
                    {.max_record_bytes = 4, .durable = true});
  EXPECT_THAT(drain(source, state), ElementsAre("0:1:{1}", "0:2:too large"));
}

TEST_F(FileSourceTest, a_file_read_to_its_end_is_left_alone_until_it_grows) {
  const std::string a = folder.write("a", "{1}\n"), b = folder.write("b", gzip("{2}\n"));
  EXPECT_EQ(run({a, b}).size(), 2);
  EXPECT_THAT(run({a, b}), IsEmpty());
  EXPECT_THAT(notes,
              ElementsAre(HasSubstr("already read, skipped"), HasSubstr("already read, skipped")));
  folder.write("a", "{1}\n\n{3}\n");
  folder.write("b", gzip("{2}\n") + gzip("{4}\n"));
  EXPECT_THAT(run({a, b}), ElementsAre("0:3:{3}", "1:2:{4}"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("has grown"), HasSubstr("has grown")));
}

TEST_F(FileSourceTest, rescan_takes_a_finished_file_as_new) {
  const std::string a = folder.write("a", "{1}\n{2}\n");
  run({a});
  EXPECT_EQ(run({a}, 100, true).size(), 2);
  EXPECT_EQ(run({a}, 100, true).size(), 2);
}

TEST_F(FileSourceTest, an_interrupted_rescan_is_finished_by_the_same_command) {
  const std::string a = folder.write("a", "{1}\n{2}\n"), b = folder.write("b", "{3}\n");
  run({a, b});
  {
    FileSource source({a, b}, state.stored(), {.durable = true, .rescan = true});
    chunk_of(source, 2);  // all of a, nothing of b
    state.store(source.positions());
  }
  EXPECT_THAT(run({a, b}, 100, true), ElementsAre("1:1:{3}"));
}

TEST_F(FileSourceTest, a_finished_file_that_is_another_one_now_is_new) {
  const std::string a = folder.write("a", "{1}\n{2}\n");
  run({a});
  folder.write("a", "{7}\n{8}\n{9}\n");
  EXPECT_EQ(run({a}).size(), 3);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("is not the file of the last run")));
  folder.write("a", "{7}\n");
  EXPECT_EQ(run({a}).size(), 1);
}

TEST_F(FileSourceTest, a_half_read_file_that_is_another_one_now_stops_with_75) {
  const std::string a = folder.write("a", "{1}\n{2}\n{3}\n");
  interrupted({a}, 2);
  folder.write("a", "{x}\n{2}\n{3}\n");
  EXPECT_EQ(exit_of_run({a}), Exit::kUnavailable);
  EXPECT_THAT(message, HasSubstr("up to line 3"));
  folder.write("a", "{1}\n{2}");
  EXPECT_EQ(exit_of_run({a}), Exit::kUnavailable);
  folder.write("a", "{1}\n{2}\n{3}\n");
  EXPECT_THAT(run({a}), ElementsAre("0:3:{3}"));
}

TEST_F(FileSourceTest, a_half_read_archive_that_holds_less_now_stops_with_75) {
  std::mt19937_64 random(3);
  std::string noise;
  while (noise.size() < 4 * kHeadBytes) noise += std::to_string(random());
  const std::string first = zstd(noise + "\n{1}\n");
  ASSERT_GT(first.size(), kHeadBytes);
  const std::string a = folder.write("a", first + zstd("{2}\n{3}\n"));
  interrupted({a}, 3);
  folder.write("a", first);
  EXPECT_EQ(exit_of_run({a}), Exit::kUnavailable);
  EXPECT_THAT(message, HasSubstr("is shorter than at the last run"));
}

TEST_F(FileSourceTest, half_read_tells_of_any_input_of_the_state) {
  const std::string a = folder.write("a", "{1}\n{2}\n"), b = folder.write("b", "{3}\n");
  EXPECT_FALSE(FileSource({b}, state.stored(), {.durable = true}).half_read());
  interrupted({a}, 1);
  EXPECT_TRUE(FileSource({b}, state.stored(), {.durable = true}).half_read());
  run({a});
  EXPECT_FALSE(FileSource({b}, state.stored(), {.durable = true}).half_read());
}

TEST_F(FileSourceTest, an_input_that_was_not_begun_counts_as_half_read) {
  const std::string a = folder.write("a", "{1}\n"), b = folder.write("b", "{2}\n");
  interrupted({a, b}, 1);
  EXPECT_TRUE(FileSource({a, b}, state.stored(), {.durable = true}).half_read());
  EXPECT_THAT(run({a, b}), ElementsAre("1:1:{2}"));
}

TEST_F(FileSourceTest, records_before_a_damage_come_first) {
  const std::string whole = gzip("{1}\n{2}\n{3");
  const std::string a = folder.write("a", std::string_view(whole).substr(0, whole.size() - 4));
  FileSource source({a, folder.write("b", "{9}\n")}, {}, {.durable = true});
  EXPECT_THAT(chunk_of(source, 100), ElementsAre("0:1:{1}", "0:2:{2}"));
  state.store(source.positions());
  RawChunk chunk;
  EXPECT_THROW(source.read(100, 100, chunk), Failure);
  folder.write("a", whole);
  EXPECT_THAT(run({a}), IsEmpty());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("line 3 is not complete")));
}

TEST_F(FileSourceTest, goes_on_behind_damaged_and_missing_inputs_where_asked_to) {
  const std::string whole = gzip("{1}\n{2}\n{3");
  const Strings paths{folder.write("a", std::string_view(whole).substr(0, whole.size() - 4)),
                      folder.file("missing"), folder.write("utf16", "\xff\xfe{"),
                      folder.write("empty.gz", ""), folder.write("b", "{9}\n")};
  FileSource source(paths, {}, {.durable = true, .keep_going = true});
  EXPECT_THAT(drain(source, state), ElementsAre("0:1:{1}", "0:2:{2}", "4:1:{9}"));
  EXPECT_THAT(source.failures(), ElementsAre(HasSubstr("missing"), HasSubstr("ends too early"),
                                             HasSubstr("UTF-16"), HasSubstr("empty.gz")));
  folder.write("a", whole);
  folder.write("utf16", "{7}\n");
  folder.write("empty.gz", gzip("{8}\n"));
  folder.write("missing", "{6}\n");
  EXPECT_THAT(run(paths), ElementsAre("1:1:{6}", "2:1:{7}", "3:1:{8}"));
}

TEST_F(FileSourceTest, inputs_that_cannot_be_read_fail_before_anything_is_read) {
  EXPECT_EQ(exit_of_run({folder.write("a", "{1}\n"), folder.file("missing")}), Exit::kUnreadable);
  EXPECT_EQ(exit_of_run({folder.file("")}), Exit::kUnreadable);
  EXPECT_THAT(message, HasSubstr("directory"));
}

TEST_F(FileSourceTest, an_input_given_twice_is_read_once) {
  const std::string a = folder.write("a", "{1}\n");
  EXPECT_THAT(run({a, folder.file("./a")}), ElementsAre("0:1:{1}"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("given twice")));
}

TEST_F(FileSourceTest, a_pipe_is_read_as_new_and_leaves_no_position) {
  const std::string path = folder.file("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { folder.write("pipe", "{1}\n{2"); });
  EXPECT_THAT(run({path}), ElementsAre("0:1:{1}", "0:2:{2"));
  writer.join();
  EXPECT_THAT(state.values, IsEmpty());
}

TEST_F(FileSourceTest, progress_counts_stored_bytes) {
  const std::string a = folder.write("a", "{1}\n"), b = folder.write("b", gzip("{2}\n"));
  FileSource source({a, b}, {}, {});
  const std::uint64_t total = 4 + gzip("{2}\n").size();
  EXPECT_EQ(source.progress().total_bytes, total);
  EXPECT_EQ(source.progress().done_bytes, 0);
  EXPECT_EQ(source.progress().done_files, 0);
  drain(source, state);
  EXPECT_EQ(source.progress().done_bytes, total);
  EXPECT_EQ(source.progress().done_files, source.progress().files);
  EXPECT_EQ(FileSource({a, "-"}, {}, {}).progress().total_bytes, 0);
}

TEST_F(FileSourceTest, fields_are_found_once_an_input_and_kept_by_a_later_run) {
  const std::string odd = folder.write(
      "odd",
      "[1]\n{\"url\":\"u1\",\"content\":\"a\"}\n{\"id\":\"i\",\"text\":\"b\"}\n{\"url\":\"u3\"}\n");
  const std::string usual =
      folder.write("usual", "{\"id\":\"i\",\"text\":\"a\"}\n{\"url\":\"u\",\"content\":\"b\"}\n");
  const auto fields_of = [&](std::size_t records) {
    FileSource source({odd, usual}, state.stored(), {.durable = true, .find_fields = true});
    RawChunk chunk;
    source.read(records, 1 << 20, chunk);
    Strings ids;
    for (const RawRecord& record : chunk.records)
      ids.push_back(record.fields ? record.fields->id + record.fields->text : "usual");
    state.store(source.positions());
    notes = source.notes();
    return ids;
  };
  EXPECT_THAT(fields_of(2), ElementsAre("usual", "/url/content"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("ids are taken from /url, texts from /content")));
  EXPECT_THAT(fields_of(4), ElementsAre("/url/content", "/url/content", "usual", "usual"));
  EXPECT_THAT(notes, IsEmpty());
}

// Of a state that an earlier version left half read.
TEST_F(FileSourceTest, an_input_that_was_begun_without_finding_fields_stays_so) {
  const std::string path = folder.write("a", "{\"url\":\"1\"}\n{\"url\":\"2\"}\n");
  interrupted({path}, 1);
  FileSource source({path}, state.stored(), {.durable = true, .find_fields = true});
  RawChunk chunk;
  ASSERT_TRUE(source.read(10, 1 << 20, chunk));
  EXPECT_EQ(chunk.records[0].fields, nullptr);
}

TEST_F(FileSourceTest, later_positions_are_those_of_inputs_that_were_read_since) {
  Strings paths;
  for (const char* name : {"a", "b", "c", "d"}) paths.push_back(folder.write(name, "{1}\n{2}\n"));
  FileSource source(paths, {}, {.durable = true});
  chunk_of(source, 1);
  EXPECT_EQ(source.positions().size(), 4);
  chunk_of(source, 2);
  EXPECT_EQ(source.positions().size(), 2);
  chunk_of(source, 4);
  EXPECT_EQ(source.positions().size(), 3);
}

TEST(InputPosition, is_stored_and_read_back) {
  InputPosition position{.head_bytes = 9, .head_hash = hash_hex("x"), .at = {123, 4}};
  EXPECT_EQ(format_position(position), "1 9 " + hash_hex("x") + " 123 4 -");
  EXPECT_TRUE(parse_position("k", format_position(position)).half_read());
  position.finished_at = 77;
  const InputPosition back = parse_position("k", format_position(position));
  EXPECT_EQ(format_position(back), format_position(position));
  EXPECT_EQ(back.finished_at, 77);
  position.fields = {.id = "/url", .text = "/text"};
  EXPECT_EQ(format_position(position), "2 9 " + hash_hex("x") + " 123 4 77 /url /text");
  EXPECT_EQ(format_position(parse_position("k", format_position(position))),
            format_position(position));
}

TEST(InputPosition, a_value_of_another_version_is_refused) {
  const std::string hash = hash_hex("x");
  for (const std::string& value : std::vector<std::string>{
           "", "2 9 " + hash + " 1 4 -", "1 9 " + hash + " 1 4", "1 9 " + hash + " 1 4 x",
           "1 9 abc 1 4 -", "1 9 " + hash + " 1 4 - ", "1 9 " + hash + " 1 4 - /url /text",
           "2 9 " + hash + " 1 4 - /odd /text"}) {
    EXPECT_THROW(parse_position("input/a", value), Failure) << value;
  }
}

TEST(InputPosition, the_rows_of_an_input_whose_parts_are_missing) {
  const auto [key, begun] = stored_emit_input("/a b", {.mark = "9-ab"});
  EXPECT_EQ(key, "emit_input//a b");
  EXPECT_EQ(begun, "1 9-ab -");
  EXPECT_FALSE(parse_emit_input(key, begun).rows);
  const auto ended = stored_emit_input("/a b", {.mark = "9-ab", .rows = 0});
  EXPECT_EQ(parse_emit_input(key, ended.second).rows, 0);
  EXPECT_EQ(parse_emit_input(key, ended.second).mark, "9-ab");
  for (const char* value : {"", "1", "1 9-ab", "1 9-ab x", "2 9-ab -", "1  -", "1 9-ab 4 5"})
    EXPECT_THROW(parse_emit_input(key, value), Failure) << value;
}

}  // namespace
}  // namespace neardup::TEST_FILE
