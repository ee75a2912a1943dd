#include "pipeline/text/normalise_segment.h"

#include <unicode/bytestream.h>
#include <unicode/uchar.h>

#include "pipeline/base/failure.h"
#include "pipeline/text/normalise_marks.h"

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

}  // namespace

SegmentFolder::SegmentFolder() : nfkc_cf_(nfkc_casefold()) {}

const char* SegmentFolder::fold(const char* in, const char* end, TokenWriter& writer) {
  const char* at = in;
  do {
    at = fold_piece(at, end, writer);
  } while (at != end && !boundary_before(at));
  return at;
}

const char* SegmentFolder::fold_piece(const char* in, const char* end, TokenWriter& writer) {
  MarkedLetter letter;
  unsigned marks = 0;
  const char* at = in;
  while (at != end) {
    const char* next = at;
    const char32_t c = next_code_point(next);
    const CodePointRule& rule = rule_of(c);
    if (at != in && (rule.before || marks + rule.lead > kMostMarks)) break;
    marks = rule.only_marks ? marks + rule.lead : rule.trail;
    letter.add(c, rule);
    at = next;
  }
  if (letter.known()) {
    letter.put(writer);
  } else {
    ask_icu({in, static_cast<std::size_t>(at - in)}, writer);
  }
  return at;
}

void SegmentFolder::ask_icu(std::string_view piece, TokenWriter& writer) {
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
