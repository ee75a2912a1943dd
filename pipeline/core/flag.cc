#include "pipeline/core/flag.h"

namespace neardup {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::kRejected:
      return "rejected";
    case Status::kDeleted:
      return "deleted";
    case Status::kUnchanged:
      return "unchanged";
    case Status::kEmpty:
      return "empty";
    case Status::kExactDuplicate:
      return "exact_duplicate";
    case Status::kTooShort:
      return "too_short";
    case Status::kNearDuplicate:
      return "near_duplicate";
    case Status::kUnique:
      return "unique";
  }
  return "";
}

std::string_view verified_by_name(VerifiedBy verified_by) {
  switch (verified_by) {
    case VerifiedBy::kContent:
      return "content";
    case VerifiedBy::kSketch:
      return "sketch";
    case VerifiedBy::kExact:
      return "exact";
    case VerifiedBy::kNone:
      return "none";
  }
  return "";
}

}  // namespace neardup
