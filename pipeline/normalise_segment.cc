#include "pipeline/normalise_segment.h"

#include <unicode/bytestream.h>
#include <unicode/uchar.h>

#include "pipeline/core/failure.h"

namespace neardup {
namespace {

const icu::Normalizer2* nfkc_casefold() {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  if (version[0] < 15) {
    throw Failure(Exit::kInternal, "ICU is too old: it must know Unicode 15.0 or later (ICU 72)");
  }
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc_cf = icu::Normalizer2::getNFKCCasefoldInstance(error);
  if (U_FAILURE(error)) {
    throw Failure(Exit::kInternal,
                  std::string("ICU has no data for nfkc_cf: ") + u_errorName(error));
  }
  return nfkc_cf;
}

// The commonest segments need no ICU: one code point and one mark that composes with nothing before
// it (Thai tones, viramas, vowel points), with or without ignored code points in between.
class PlainSegment {
 public:
  void add(char32_t c, const CodePointRule& rule) {
    if (rule.folding == Folding::kNone) return;
    const bool fits = size_ == 0 ? rule.folding == Folding::kOne
                                 : size_ == 1 && rule.quiet && rules_[0]->trail == 0;
    plain_ = plain_ && fits;
    if (!plain_) return;
    code_points_[size_] = c;
    rules_[size_] = &rule;
    ++size_;
  }

  bool plain() const { return plain_; }

  void put(TokenWriter& writer) const {
    for (int i = 0; i < size_; ++i) {
      writer.put(code_points_[i] + static_cast<char32_t>(rules_[i]->shift), rules_[i]->token);
    }
  }

 private:
  char32_t code_points_[2] = {};
  const CodePointRule* rules_[2] = {};
  int size_ = 0;
  bool plain_ = true;
};

}  // namespace

SegmentFolder::SegmentFolder() : nfkc_cf_(nfkc_casefold()) {}

const char* SegmentFolder::fold(const char* in, const char* end, TokenWriter& writer) {
  PlainSegment plain;
  unsigned marks = 0;
  const char* piece = in;
  const char* at = in;
  while (at != end) {
    const char* next = at;
    const char32_t c = next_code_point(next);
    const CodePointRule& rule = rule_of(c);
    if (at != in && rule.before) break;
    if (marks + rule.lead > kMostMarks) {
      fold_piece({piece, static_cast<std::size_t>(at - piece)}, writer);
      piece = at;
      marks = 0;
    }
    marks = rule.only_marks ? marks + rule.lead : rule.trail;
    plain.add(c, rule);
    at = next;
  }
  if (plain.plain()) {
    plain.put(writer);
  } else {
    fold_piece({piece, static_cast<std::size_t>(at - piece)}, writer);
  }
  return at;
}

void SegmentFolder::fold_piece(std::string_view piece, TokenWriter& writer) {
  folded_.clear();
  icu::StringByteSink<std::string> sink(&folded_);
  UErrorCode error = U_ZERO_ERROR;
  const auto size = static_cast<int32_t>(piece.size());
  nfkc_cf_->normalizeUTF8(0, icu::StringPiece(piece.data(), size), sink, nullptr, error);
  if (U_FAILURE(error)) {
    throw Failure(Exit::kInternal, std::string("ICU cannot normalise: ") + u_errorName(error));
  }
  const char* at = folded_.data();
  const char* end = at + folded_.size();
  while (at != end && !writer.full()) {
    const char32_t c = next_code_point(at);
    writer.put(c, rule_of(c).token);
  }
}

}  // namespace neardup
