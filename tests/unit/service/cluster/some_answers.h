// Answers of a shard with a part of each kind, for a rule with 12 bands.
#pragma once

#include "service/cluster/answer_codec.h"

namespace neardup {

inline ShardAnswers some_answers() {
  ShardAnswers answers{.shard = 3, .answer = {.first = 900, .as_of = 800}};
  Answer& answer = answers.answer;
  answer.documents = {{700, "a", 0}, {123, "b", 17}, {800, "c", 0}};
  answer.lists = {{{5, 6, 700}, true}, {{800}, false}};
  answer.records.reset(20);
  RecordAnswer& record = answer.records.add(7);
  record.same = {1, 0};
  record.more_same = true;
  record.bands = {{0, 1}, {3, 0}, {8, 1}, {11, 0}};
  record.nominees = {{2, 2, {14, 16}}, {0, 1, {13, 16}}};
  AnsweredVersion& version = answer.records.add(19).version.emplace();
  version.row = {
      .seq = 123, .time_ms = 9, .content = {}, .kept = false, .original = 5, .similarity = 900'000};
  version.text_bytes = 10'000;
  version.similarity = 812'000;
  return answers;
}

}  // namespace neardup
