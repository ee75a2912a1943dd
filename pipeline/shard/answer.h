// The answers of one shard about successive records of the log: what it holds that the decisions
// about them may need, as of the last decision that it has applied. Whoever decides them merges the
// answers of all shards (pipeline/shard/merged_documents.h).
//
// A list of documents has the oldest live ones, in the order of their seqs. It is cut where there
// are more than the limit of the bucket and some more, so that a few of them may end before the
// record is decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/match/scorer.h"
#include "pipeline/model/types.h"
#include "storage/store.h"

namespace neardup {

// A document that may be an original.
struct AnsweredDocument {
  Seq seq = 0;
  std::string id;
  std::uint32_t distinct_shingles = 0;  // as in its row
  bool operator==(const AnsweredDocument&) const = default;
};

// The oldest documents of a bucket. more: there are later ones; then the list is not empty.
struct CutList {
  std::vector<Seq> seqs;
  bool more = false;
  bool operator==(const CutList&) const = default;
};

// The current version of a record's id.
struct AnsweredVersion {
  IdRow row;
  std::uint32_t text_bytes = 0;        // of its document; 0: it has none
  std::optional<Ppm> similarity = {};  // to the record, where both have a sketch
};

// Numbers of documents and lists are places in Answer.
struct RecordAnswer {
  struct Band {
    std::uint32_t band = 0;
    std::uint32_t list = 0;
    bool operator==(const Band&) const = default;
  };
  // A listed document that passes the verification of the rule.
  struct Nominee {
    std::uint32_t document = 0;
    std::uint32_t bands_hit = 0;
    Score score;
    bool operator==(const Nominee&) const = default;
  };

  std::optional<AnsweredVersion> version;
  std::vector<std::uint32_t> same;  // numbers of documents with the same content
  bool more_same = false;           // there are later ones
  std::vector<Band> bands;          // ascending, those in which the shard has documents
  std::vector<Nominee> nominees;
};

// The answers about the records of a chunk. A record about which the shard has nothing to report,
// as most have, takes four bytes.
class RecordAnswers {
 public:
  // Forgets all, and has nothing to report about so many records.
  void reset(std::size_t records) {
    places_.assign(records, 0);
    told_.clear();
  }
  void reserve(std::size_t told) { told_.reserve(told); }

  std::size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }

  // Valid until something is added.
  const RecordAnswer& operator[](std::size_t i) const {
    return places_[i] == 0 ? kNothing : told_[places_[i] - 1];
  }
  // The answer about record i, to be filled. Valid until one about another record is added.
  RecordAnswer& add(std::size_t i) {
    if (places_[i] == 0) {
      told_.emplace_back();
      places_[i] = static_cast<std::uint32_t>(told_.size());
    }
    return told_[places_[i] - 1];
  }

  // Those that were added, in the order in which they were.
  const std::vector<RecordAnswer>& told() const { return told_; }
  std::vector<RecordAnswer>& told() { return told_; }

 private:
  static inline const RecordAnswer kNothing;
  std::vector<std::uint32_t> places_;  // of a record: behind its answer in told_; 0: it has none
  std::vector<RecordAnswer> told_;
};

struct Answer {
  Seq first = 1;  // of its records
  Seq as_of = 0;  // the last record whose decision the shard has applied
  std::vector<AnsweredDocument> documents = {};
  std::vector<CutList> lists = {};
  RecordAnswers records = {};
};

}  // namespace neardup
