#include "service/log/notice_log.h"

#include <fmt/format.h>

#include "service/records/notice_words.h"

namespace neardup {

void NoticeLog::show(const NoticeCounts& counts) {
  const MutexLock lock(mutex_);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto kind = static_cast<NoticeKind>(i);
    if (counts[i] == 0 || shown_.has(kind)) continue;
    shown_.add(kind);
    const NoticeWords words = notice_words(kind);
    log_.warning("not understood", {{"kind", name(kind)},
                                    {"count", counts[i]},
                                    {"detail", fmt::format("{}: {}", words.what, words.remedy)}});
  }
}

}  // namespace neardup
