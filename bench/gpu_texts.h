// Documents and sets for bench/gpu.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "pipeline/model/text_batch.h"

namespace neardup::bench {

// A word of 2 to 9 letters that follows from its number.
inline std::string word_of(std::uint64_t number) {
  std::string word(2 + number % 8, 'a');
  for (char& letter : word) {
    letter = static_cast<char>('a' + number % 26);
    number = number / 26 + 0x9e3779b9;
  }
  return word;
}

// `count` documents of about `bytes` bytes, of 20 000 words.
inline TextBatch make_texts(std::size_t count, std::size_t bytes) {
  std::mt19937_64 random(1);
  TextBatch texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    while (text.size() < bytes) text += word_of(random() % 20'000) + " ";
    text.pop_back();
    texts.push(text);
  }
  return texts;
}

// `count` sets of `elements` different elements: a word each, with shingles of one word.
inline TextBatch make_sets(std::size_t count, std::size_t elements) {
  std::mt19937_64 random(2);
  TextBatch texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    const std::uint64_t first = random() % 1'000'000'000;
    for (std::size_t j = 0; j < elements; ++j) text += std::to_string(first + 7 * j) + " ";
    text.pop_back();
    texts.push(text);
  }
  return texts;
}

}  // namespace neardup::bench
