#include "python/binding/flag_list.h"

#include "python/binding/errors.h"
#include "storage/bytes.h"

namespace neardup {
namespace {

template <class Get>
FlagValue of_original(const Flag& flag, Get get) {
  return flag.original ? FlagValue(get(*flag.original)) : FlagValue();
}

// With three decimals, cut, as in the record.
double cut(Ppm similarity) { return static_cast<double>(similarity / 1000) / 1000; }

}  // namespace

const std::array<FlagColumn, kFlagColumns> kFlagFields{{
    {"id", "U",
     [](const Flag& f, bool) { return f.has_id ? FlagValue(std::string_view(f.id)) : FlagValue(); }},
    {"namespace", "U", [](const Flag& f, bool) { return FlagValue(std::string_view(f.name_space)); }},
    {"seq", "L", [](const Flag& f, bool) { return FlagValue(std::uint64_t{f.seq}); }},
    {"status", "U", [](const Flag& f, bool) { return FlagValue(name(f.status)); }},
    {"kept", "b", [](const Flag&, bool kept) { return FlagValue(kept); }},
    {"duplicate_of", "U",
     [](const Flag& f, bool) {
       return of_original(f, [](const Original& o) { return std::string_view(o.id); });
     }},
    {"duplicate_of_seq", "L",
     [](const Flag& f, bool) {
       return of_original(f, [](const Original& o) { return std::uint64_t{o.seq}; });
     }},
    {"similarity", "g",
     [](const Flag& f, bool) {
       return of_original(f, [](const Original& o) { return cut(o.similarity); });
     }},
    {"similarity_low", "g",
     [](const Flag& f, bool) {
       return of_original(f, [](const Original& o) { return cut(o.low); });
     }},
    {"similarity_high", "g",
     [](const Flag& f, bool) {
       return of_original(f, [](const Original& o) { return cut(o.high); });
     }},
    {"verified_by", "U",
     [](const Flag& f, bool) {
       return of_original(f, [](const Original& o) { return name(o.verified_by); });
     }},
    {"bands_hit", "L",
     [](const Flag& f, bool) {
       return of_original(f, [](const Original& o) { return std::uint64_t{o.bands_hit}; });
     }},
    {"reason", "U",
     [](const Flag& f, bool) {
       return f.reason == RejectReason::kNone ? FlagValue() : FlagValue(name(f.reason));
     }},
    {"detail", "U",
     [](const Flag& f, bool) {
       return f.detail.empty() ? FlagValue() : FlagValue(std::string_view(f.detail));
     }},
}};

bool is_kept(const Flag& flag) {
  switch (flag.status) {
    case Status::kUnique:
    case Status::kTooShort:
    case Status::kEmpty:
      return true;
    case Status::kUnchanged:
      return flag.verdict && flag.verdict->kept;
    default:
      return false;
  }
}

void FlagList::add(const Flag& flag) {
  ByteWriter writer(bytes_);
  flag_fields(writer, flag);
  ends_.push_back(bytes_.size());
  kept_.push_back(is_kept(flag));
  ++counts_[static_cast<std::size_t>(flag.status)];
}

void FlagList::extend(const FlagList& more) {
  if (more.rule_ != rule_ || more.seq_ != seq_)
    throw BadInput("flags of another rule, or of a check, cannot be appended");
  const std::uint64_t begin = bytes_.size();
  bytes_ += more.bytes_;
  for (const std::uint64_t end : more.ends_) ends_.push_back(begin + end);
  kept_.insert(kept_.end(), more.kept_.begin(), more.kept_.end());
  for (std::size_t i = 0; i < kStatuses; ++i) counts_[i] += more.counts_[i];
}

Flag FlagList::at(std::size_t i) const {
  const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
  ByteReader reader(std::string_view(bytes_).substr(begin, ends_[i] - begin));
  Flag flag;
  flag_fields(reader, flag);
  return flag;
}

std::string FlagList::lines() const {
  const FlagWriter writer(
      rule_, threshold_,
      [](const SourcePosition& source, std::string& out) {
        out.append(R"({"row":)").append(std::to_string(source.place)).push_back('}');
      },
      seq_);
  std::string lines;
  each([&](const Flag& flag, bool /*kept*/) { writer.append(flag, lines); });
  return lines;
}

}  // namespace neardup
