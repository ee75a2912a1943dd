// The kernels: which group does what. Each is an object that a launcher calls as kernel(group,
// index) for every index below a count; `shared_bytes` says what memory its groups need.
#pragma once

#include "gpu/cuda/kernels/elements.h"
#include "gpu/cuda/kernels/rows.h"
#include "gpu/cuda/kernels/units.h"
#include "gpu/cuda/kernels/winners.h"

namespace neardup::cuda {

// Memory of a group: winners, then kSumWords words for sums and flags.
template <class Group>
NEARDUP_HD u64* shared_winners(Group& group) {
  return reinterpret_cast<u64*>(group.shared());
}
template <class Group>
NEARDUP_HD u32* shared_words(Group& group, const Parameters& how) {
  return reinterpret_cast<u32*>(shared_winners(group) + how.slots);
}
inline u32 shared_bytes(const Parameters& how) { return how.slots * 8 + kSumWords * 4; }

// Writes the row of a document whose elements are complete. `round`: the number of common rounds
// that `winners` already includes.
template <class Group>
NEARDUP_HD void finish_document(Group& group, const Parameters& how, const Piece& piece,
                                u32 document, u32 round, u64* winners) {
  const u64 count = count_elements(piece.units[document], how.shingle_size);
  const u64 at = piece.documents[document].values;
  const u64* elements = piece.elements + at;
  if (how.family == SketchFamily::kFastSimilarity) {
    // The values are no longer needed, so their memory is the room for distinct elements.
    finish_fast_similarity(group, how, round, {elements, count}, piece.values + at, winners,
                           shared_words(group, how));
  } else if (round == 0) {
    minhash(group, how, elements, count, winners);
  }
  write_row(group, how, piece, document, winners);
}

// A whole document, from text to row.
template <u32 threads>
struct SketchDocument {
  static constexpr u32 kThreads = threads;
  Parameters how;
  Piece piece;
  u32 first;  // document of index 0

  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u32 number = first + index;
    const Document& document = piece.documents[number];
    u64* const values = piece.values + document.values;
    u64* const winners = shared_winners(group);
    const u32 units = find_units(group, shared_words(group, how), how, piece.text + document.text,
                                 document.length, 0, document.length, values);
    group.each([&](u32 thread) {
      if (thread == 0) piece.units[number] = units;
    });
    make_elements(group, how, values, units, 0, count_elements(units, how.shingle_size),
                  piece.elements + document.values);
    clear_winners(group, how, winners);
    finish_document(group, how, piece, number, 0, winners);
  }
};

// The base of kernels whose groups are whole blocks.
struct BlockKernel {
  static constexpr u32 kThreads = kBlock;
  Parameters how;
  Piece piece;
};

// Counts the units that begin in each segment of a long document.
struct CountUnits : BlockKernel {
  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const Segment& segment = piece.segments[index];
    const Document& document = piece.documents[segment.document];
    const u32 units = find_units(group, shared_words(group, how), how, piece.text + document.text,
                                 document.length, segment.begin, segment.end, nullptr);
    group.each([&](u32 thread) {
      if (thread == 0) piece.segment_units[index] = units;
    });
  }
};

// Writes the values of the units of a segment, after those of the earlier segments.
struct FindUnits : BlockKernel {
  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const Segment& segment = piece.segments[index];
    const Document& document = piece.documents[segment.document];
    u32* const words = shared_words(group, how);
    group.each([&](u32 thread) {
      u32 sum = 0;
      for (u32 i = document.segment + thread; i < index; i += Group::kThreads) {
        sum += piece.segment_units[i];
      }
      words[thread] = sum;
    });
    const u32 before = group.exclusive_sums(words);
    const u32 units =
        find_units(group, words, how, piece.text + document.text, document.length, segment.begin,
                   segment.end, piece.values + document.values + before);
    group.each([&](u32 thread) {
      const bool last = index + 1 == document.segment + document.segments;
      if (thread == 0 && last) piece.units[segment.document] = before + units;
    });
  }
};

// The elements of a document that one of its segments processes: equal shares.
struct Share {
  u64 begin;
  u64 end;
};
NEARDUP_HD Share share_of(const Parameters& how, const Piece& piece, u32 segment) {
  const u32 number = piece.segments[segment].document;
  const Document& document = piece.documents[number];
  const u64 count = count_elements(piece.units[number], how.shingle_size);
  const u64 size = (count + document.segments - 1) / document.segments;
  const u64 begin = (segment - document.segment) * size;
  return {begin < count ? begin : count, begin + size < count ? begin + size : count};
}

struct MakeElements : BlockKernel {
  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u32 number = piece.segments[index].document;
    const u64 at = piece.documents[number].values;
    const Share share = share_of(how, piece, index);
    make_elements(group, how, piece.values + at, piece.units[number], share.begin, share.end,
                  piece.elements + at);
  }
};

// One round (fast similarity) or all functions (minhash) over a share, merged into the winners of
// the document.
struct AddElements : BlockKernel {
  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u32 number = piece.segments[index].document;
    const Share share = share_of(how, piece, index);
    if (share.begin == share.end) return;
    u64* const winners = shared_winners(group);
    clear_winners(group, how, winners);
    add_elements(group, how, piece.elements + piece.documents[number].values + share.begin,
                 share.end - share.begin, winners);
    u64* const all = piece.long_winners + u64{number - piece.long_begin} * how.slots;
    group.each([&](u32 thread) {
      for (u32 slot = thread; slot < how.slots; slot += Group::kThreads) {
        offer<Group>(&all[slot], winners[slot]);
      }
    });
  }
};

struct FinishLong : BlockKernel {
  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    const u64* const from = piece.long_winners + u64{index} * how.slots;
    u64* const winners = shared_winners(group);
    group.each([&](u32 thread) {
      for (u32 slot = thread; slot < how.slots; slot += Group::kThreads) {
        winners[slot] = from[slot];
      }
    });
    finish_document(group, how, piece, piece.long_begin + index, 1, winners);
  }
};

// Permutation family: counts the distinct elements of documents index, index + kBitmaps, …
struct CountDistinct : BlockKernel {
  template <class Group>
  NEARDUP_HD void operator()(Group& group, u32 index) const {
    u32* const bitmap = piece.bitmaps + index * bitmap_words(how.universe);
    u32* const distinct = shared_words(group, how);
    for (u32 number = index; number < piece.document_count; number += kBitmaps) {
      const u64 count = count_elements(piece.units[number], how.shingle_size);
      const u64* elements = piece.elements + piece.documents[number].values;
      group.each([&](u32 thread) {
        if (thread == 0) *distinct = 0;
      });
      group.each([&](u32 thread) {
        for (u64 i = thread; i < count; i += Group::kThreads) {
          const u32 bit = 1u << (elements[i] % 32);
          if ((Group::atomic_or(&bitmap[elements[i] / 32], bit) & bit) == 0) {
            Group::atomic_add(distinct, 1);
          }
        }
      });
      group.each([&](u32 thread) {
        for (u64 i = thread; i < count; i += Group::kThreads) bitmap[elements[i] / 32] = 0;
        if (thread == 0) piece.distinct_shingles[number] = *distinct;
      });
    }
  }
};

// All kernels of a piece, in order.
template <class Launcher>
void sketch_piece(Launcher& launcher, const Parameters& how, const Piece& piece) {
  const u32 blocks = piece.long_begin - piece.short_end;
  const u32 longs = piece.document_count - piece.long_begin;
  const u32 bytes = shared_bytes(how);
  if (longs > 0) {
    launcher.launch(CountUnits{{how, piece}}, piece.segment_count, bytes);
    launcher.launch(FindUnits{{how, piece}}, piece.segment_count, bytes);
    launcher.launch(MakeElements{{how, piece}}, piece.segment_count, bytes);
    launcher.launch(AddElements{{how, piece}}, piece.segment_count, bytes);
    launcher.launch(FinishLong{{how, piece}}, longs, bytes);
  }
  if (blocks > 0)
    launcher.launch(SketchDocument<kBlock>{how, piece, piece.short_end}, blocks, bytes);
  if (piece.short_end > 0) {
    launcher.launch(SketchDocument<kWarp>{how, piece, 0}, piece.short_end, bytes);
  }
  if (how.permutation) launcher.launch(CountDistinct{{how, piece}}, kBitmaps, bytes);
}

// Names each kernel of a piece once, with the memory that its groups need, to a launcher that
// starts none.
template <class Launcher>
void name_all_kernels(Launcher& launcher, const Parameters& how) {
  Piece one_of_each{};  // counts alone
  one_of_each.short_end = 1;
  one_of_each.long_begin = 2;
  one_of_each.document_count = 3;
  one_of_each.segment_count = 1;
  sketch_piece(launcher, how, one_of_each);
}

}  // namespace neardup::cuda
