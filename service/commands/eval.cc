#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/base/signals.h"
#include "service/commands/commands.h"
#include "service/commands/file_reading.h"
#include "service/groups/flags_reader.h"

namespace neardup {
namespace {

constexpr std::size_t kMostShown = 10;

using MemberNumber = std::uint32_t;
using IdPair = std::pair<MemberNumber, MemberNumber>;

// Numbers of ids, from 0.
class Ids {
 public:
  MemberNumber number(std::string_view id) {
    const auto [at, added] = numbers_.try_emplace(std::string(id), size());
    if (added) names_.push_back(&at->first);
    return at->second;
  }
  const std::string& name(MemberNumber member) const { return *names_[member]; }
  MemberNumber size() const { return static_cast<MemberNumber>(names_.size()); }

 private:
  std::unordered_map<std::string, MemberNumber> numbers_;
  std::vector<const std::string*> names_;
};

// Sets of ids that pairs connect.
class Components {
 public:
  void connect(const IdPair& pair) { parent(root(pair.first)) = root(pair.second); }
  bool connected(const IdPair& pair) { return root(pair.first) == root(pair.second); }

 private:
  MemberNumber& parent(MemberNumber member) {
    while (parents_.size() <= member)
      parents_.push_back(static_cast<MemberNumber>(parents_.size()));
    return parents_[member];
  }
  MemberNumber root(MemberNumber member) {
    while (parent(member) != member) member = parents_[member] = parent(parent(member));
    return member;
  }

  std::vector<MemberNumber> parents_;
};

struct Evaluation {
  std::uint64_t documents = 0;     // flags with an id
  std::uint64_t known = 0;         // pairs of which both ids have a flag
  std::uint64_t found = 0;         // of them
  std::uint64_t flagged = 0;       // copies with their originals
  std::uint64_t right = 0;         // of them
  std::uint64_t without_flag = 0;  // pairs with an id that has none
  std::vector<IdPair> missed = {};
  std::vector<IdPair> wrong = {};

  static double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
  double recall() const { return share(found, known); }
  double precision() const { return share(right, flagged); }
  double f1() const {
    const double sum = precision() + recall();
    return sum == 0 ? 0 : 2 * precision() * recall() / sum;
  }
};

[[noreturn]] void refuse_pairs(const std::string& path, std::uint64_t line, std::string_view what) {
  throw Failure(Exit::kUnreadable,
                fmt::format("{}, line {}: {}; give two ids a line, with a tab between them", path,
                            line, what));
}

// Two ids a line, with a tab between them; what follows a second tab is not read.
std::vector<IdPair> read_pairs(const std::string& path, Ids& ids) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  if (!in) throw Failure(Exit::kUnreadable, fmt::format("cannot read {}", path));
  std::vector<IdPair> pairs;
  std::uint64_t number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.ends_with('\r')) text.pop_back();
    if (text.empty()) continue;
    const std::string_view line = text;
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) refuse_pairs(path, number, "there is no tab");
    const std::string_view a = line.substr(0, tab);
    const std::string_view b = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    if (a.empty() || b.empty()) refuse_pairs(path, number, "an id is empty");
    if (a == b) refuse_pairs(path, number, "both ids are the same");
    pairs.emplace_back(ids.number(a), ids.number(b));
  }
  if (pairs.empty()) throw Failure(Exit::kUnreadable, fmt::format("{}: there are no pairs", path));
  return pairs;
}

struct Flagged {
  std::vector<IdPair> pairs;  // a copy and its original
  std::vector<bool> seen;     // has a flag, by number
  std::uint64_t documents = 0;
};

Flagged read_flagged(const std::string& path, Ids& ids) {
  FlagsReader reader({path}, stop_requested());
  Flagged flagged;
  read_flags(reader, stop_requested(), [&](const FlagLine& flag) {
    if (flag.id.empty()) return true;
    const MemberNumber member = ids.number(flag.id);
    if (flagged.seen.size() <= member) flagged.seen.resize(member + 1);
    flagged.seen[member] = true;
    ++flagged.documents;
    if (flag.original != 0) flagged.pairs.emplace_back(member, ids.number(flag.original_id));
    return true;
  });
  if (!stop_requested()) require_flags(reader.counts(), path);
  flagged.seen.resize(ids.size());
  return flagged;
}

void keep_some(const IdPair& pair, std::vector<IdPair>& shown) {
  if (shown.size() < kMostShown) shown.push_back(pair);
}

// A known pair is found when flags connect its ids; a copy is right when known pairs connect it
// with its original.
Evaluation evaluate(const std::vector<IdPair>& known, const Flagged& flagged) {
  Components by_flags, by_pairs;
  std::ranges::for_each(flagged.pairs, [&](const IdPair& pair) { by_flags.connect(pair); });
  std::ranges::for_each(known, [&](const IdPair& pair) { by_pairs.connect(pair); });
  Evaluation result{.documents = flagged.documents, .flagged = flagged.pairs.size()};
  for (const IdPair& pair : known) {
    if (!flagged.seen[pair.first] || !flagged.seen[pair.second]) {
      ++result.without_flag;
      continue;
    }
    ++result.known;
    if (by_flags.connected(pair)) {
      ++result.found;
    } else {
      keep_some(pair, result.missed);
    }
  }
  for (const IdPair& pair : flagged.pairs) {
    if (by_pairs.connected(pair)) {
      ++result.right;
    } else {
      keep_some(pair, result.wrong);
    }
  }
  return result;
}

void print_json(const Evaluation& result, const Ids& ids) {
  const auto pairs = [&](const std::vector<IdPair>& shown) {
    return json_list(shown, [&](const IdPair& pair) {
      return fmt::format("[{},{}]", json_text(ids.name(pair.first)),
                         json_text(ids.name(pair.second)));
    });
  };
  JsonObject object;
  object.number("documents", result.documents)
      .number("known_pairs", result.known)
      .number("found", result.found)
      .decimals("recall", result.recall(), 4)
      .number("flagged_pairs", result.flagged)
      .number("right", result.right)
      .decimals("precision", result.precision(), 4)
      .decimals("f1", result.f1(), 4)
      .number("pairs_without_a_flag", result.without_flag)
      .json("missed", pairs(result.missed))
      .json("wrong", pairs(result.wrong));
  fmt::print("{}\n", object.str());
}

void print_pairs(std::string_view title, const std::vector<IdPair>& shown, std::uint64_t all,
                 const Ids& ids) {
  if (all == 0) return;
  fmt::print("\n{} ({} of {}):\n", title, shown.size(), all);
  for (const IdPair& pair : shown)
    fmt::print("{}\t{}\n", ids.name(pair.first), ids.name(pair.second));
}

void print_text(const Evaluation& result, const Ids& ids) {
  fmt::print("known pairs    {:>10}   {} found       recall     {:.4f}\n", result.known,
             result.found, result.recall());
  fmt::print("flagged pairs  {:>10}   {} right       precision  {:.4f}\n", result.flagged,
             result.right, result.precision());
  fmt::print("F1 {:.4f}, over {} documents\n", result.f1(), result.documents);
  if (result.without_flag > 0) {
    fmt::print(
        "{} known pairs have an id without a flag, and count nowhere: give the flags of all "
        "documents\n",
        result.without_flag);
  }
  print_pairs("missed", result.missed, result.known - result.found, ids);
  print_pairs("wrong: a copy and its original", result.wrong, result.flagged - result.right, ids);
}

}  // namespace

int run_eval(const CommandLine& line) {
  const std::string pairs = *line.one("PAIRS"), flags = *line.one("FLAGS");
  if (pairs == "-" && flags == "-")
    throw Failure(Exit::kUsage, "PAIRS and FLAGS cannot both be standard input");
  Ids ids;
  const std::vector<IdPair> known = read_pairs(pairs, ids);
  const Flagged flagged = read_flagged(flags, ids);
  if (stop_requested()) return stop_status();
  const Evaluation result = evaluate(known, flagged);
  line.has("--json") ? print_json(result, ids) : print_text(result, ids);
  return 0;
}

}  // namespace neardup
