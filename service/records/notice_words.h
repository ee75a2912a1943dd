// The text of a notice: the same words in the summary of a run and in a service's log.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/model/notice.h"

namespace neardup {

struct NoticeWords {
  std::string_view what;    // of the records that are counted, in the plural
  std::string_view remedy;  // what became of them, and what to do
};
NoticeWords notice_words(NoticeKind kind);

// A line for each kind that was counted, the number right-aligned to ten columns.
std::string notice_text(const NoticeCounts& counts);

// A JSON object with every kind of record: charset is of requests.
std::string notice_json(const NoticeCounts& counts);

}  // namespace neardup
