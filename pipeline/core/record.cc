#include "pipeline/core/record.h"

namespace neardup {

std::string_view reason_name(RejectReason reason) {
  switch (reason) {
    case RejectReason::kNone:
      return "";
    case RejectReason::kInvalidJson:
      return "invalid_json";
    case RejectReason::kMissingId:
      return "missing_id";
    case RejectReason::kInvalidId:
      return "invalid_id";
    case RejectReason::kMissingText:
      return "missing_text";
    case RejectReason::kInvalidText:
      return "invalid_text";
    case RejectReason::kDuplicateField:
      return "duplicate_field";
    case RejectReason::kInvalidEscape:
      return "invalid_escape";
    case RejectReason::kInvalidUtf8:
      return "invalid_utf8";
    case RejectReason::kRecordTooLarge:
      return "record_too_large";
    case RejectReason::kTextTooLarge:
      return "text_too_large";
  }
  return "";
}

}  // namespace neardup
