#include <fmt/core.h>

#include "config/fields.h"
#include "config/show.h"
#include "config/values.h"

namespace neardup {
namespace {

constexpr std::string_view kIntroduction = R"(# Configuration

Made by `neardup config reference > docs/configuration.md`; edit the tables in
`config/*fields.cc`, not this page.

Keys are set in a YAML file (`-c FILE`), sections as maps:
```
threshold: 0.8
sketch:
  size: 256
```
Each key can be overridden by an environment variable, `NEARDUP_` and the key in upper case with `_` for `.`
(`NEARDUP_SKETCH_SIZE`), and that by an option: `--set sketch.size=512`. A key that does not exist, stands
twice or has a wrong value is an error; all of them are listed at once.

Lists are written with commas there: `--set kafka.topics=news,blogs`. The entries of `kafka.librdkafka` and
`kafka.secrets` are set one by one: `--set kafka.librdkafka.client.id=x`, or
`NEARDUP_KAFKA_LIBRDKAFKA_CLIENT_ID=x` (lower case, `.` for each `_`). An option shows in the process list;
give passwords by `kafka.secrets`.
)";

std::string default_of(const Field& field) {
  const std::string value = print_value(field, Config{});
  return value.empty() ? "none" : fmt::format("`{}`", value);
}

std::string row(const Field& field) {
  return fmt::format("| `{}` | {} | {} | {}{}{} |\n", field.key, default_of(field),
                     describe_values(field), field.help, field.cost.empty() ? "" : " ", field.cost);
}

}  // namespace

std::string reference_markdown() {
  std::string page(kIntroduction);
  for (const Section& section : sections()) {
    page += section.name.empty() ? fmt::format("\n## {}\n", section.help)
                                 : fmt::format("\n## `{}`: {}\n", section.name, section.help);
    page += "| Key | Default | Values | Meaning |\n| --- | --- | --- | --- |\n";
    for (const Field& field : fields()) {
      if (section_of(field.key) == section.name) page += row(field);
    }
  }
  return page;
}

}  // namespace neardup
