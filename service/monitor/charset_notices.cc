#include "service/monitor/charset_notices.h"

#include <memory>

#include "metrics/labels.h"
#include "service/http/charset.h"
#include "service/log/notice_log.h"

namespace neardup {

void refuse_other_charsets(HttpRoutes& routes, MetricRegistry& registry, Log& log) {
  refuse_other_charsets(routes, [&registry, notices = std::make_shared<NoticeLog>(log)] {
    registry.add(Metric::kNotices, 1, NoticeKind::kCharset);
    notices->show(one_notice(NoticeKind::kCharset));
  });
}

}  // namespace neardup
