#include "service/state/group_report.h"

#include <fmt/core.h>

#include "pipeline/base/json_object.h"
#include "service/state/excerpt.h"

namespace neardup {

std::string groups_text(std::span<const DocumentGroup> groups) {
  if (groups.empty()) return "no document of the state has copies\n";
  std::string out = fmt::format("{:>12}  {:>14}  {}\n", "copies", "seq", "original");
  for (const DocumentGroup& group : groups) {
    const DocumentRow& row = group.original;
    out += fmt::format("{:>12}  {:>14}  {}{}\n", group.copies, row.seq, visible_text(row.id),
                       row.name_space.empty() ? "" : "   in " + visible_text(row.name_space));
  }
  return out;
}

std::string groups_json(std::span<const DocumentGroup> groups) {
  const auto group_json = [](const DocumentGroup& group) {
    JsonObject json;
    json.text("group", group.original.id);
    if (!group.original.name_space.empty()) json.text("namespace", group.original.name_space);
    return json.number("seq", group.original.seq).number("copies", group.copies).str();
  };
  return JsonObject().json("groups", json_list(groups, group_json)).str();
}

}  // namespace neardup
