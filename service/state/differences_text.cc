#include <fmt/format.h>

#include <iterator>

#include "service/state/differences.h"
#include "service/state/excerpt.h"

namespace neardup {
namespace {

constexpr std::size_t kChangesShown = 20;

constexpr const char* kRed = "\x1b[31m";
constexpr const char* kGreen = "\x1b[32m";
constexpr const char* kPlain = "\x1b[0m";

// On one line, and no longer than a paragraph.
std::string shown(std::string_view text) { return visible_text(without_middle(text)); }

std::string marked(std::string_view text, const char* form, const char* colour) {
  if (text.empty()) return {};
  const std::string mark = fmt::format(fmt::runtime(form), shown(text));
  return colour == nullptr ? mark : colour + mark + kPlain;
}

std::string change_text(const DifferencePart& part, bool colour) {
  const std::string gone = marked(part.a, "[-{}-]", colour ? kRed : nullptr);
  const std::string come = marked(part.b, "{{+{}+}}", colour ? kGreen : nullptr);
  return gone.empty() || come.empty() ? gone + come : gone + ' ' + come;
}

std::string part_text(const DifferencePart& part, bool colour) {
  switch (part.kind) {
    case DifferencePart::Kind::kFolded:
      return fmt::format("… {} equal words …", part.words);
    case DifferencePart::Kind::kChanged:
      return change_text(part, colour);
    case DifferencePart::Kind::kEqual:
      // The other one may lack a blank next to a change.
      return shown(part.a.size() < part.b.size() ? part.b : part.a);
  }
  return {};
}

}  // namespace

std::string differences_text(const Differences& differences, bool colour) {
  const auto& [parts, changes, shortest] = differences;
  std::string body;
  std::size_t shown_changes = 0;
  bool behind_fold = false;  // a fold is a line
  for (const DifferencePart& part : parts) {
    if (shown_changes == kChangesShown && part.kind == DifferencePart::Kind::kChanged) break;
    const bool folded = part.kind == DifferencePart::Kind::kFolded;
    if ((folded || behind_fold) && !body.empty()) body += "\n  ";
    body += part_text(part, colour);
    behind_fold = folded;
    shown_changes += part.kind == DifferencePart::Kind::kChanged ? 1 : 0;
  }
  std::string out =
      fmt::format("what differs: {} {}{}\n", changes, changes == 1 ? "change" : "changes",
                  shortest ? "" : ", aligned by words that occur once in each text");
  fmt::format_to(std::back_inserter(out), "  {}\n", body);
  if (changes > shown_changes)
    fmt::format_to(std::back_inserter(out), "  and {} more\n", changes - shown_changes);
  return out;
}

}  // namespace neardup
