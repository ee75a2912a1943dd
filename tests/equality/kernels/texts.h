// Texts to compare backends by: normalised, as the pipeline hands them over.
#pragma once

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "gpu/backend.h"
#include "gpu/cpu/cpu_backend.h"

namespace neardup {

inline std::string word(std::mt19937_64& random, std::size_t most_letters) {
  static constexpr const char* kLetters[] = {"a", "b", "e", "t", "ö", "ß", "語", "漢", "𝄞", "7"};
  std::string made;
  for (std::size_t n = 1 + random() % most_letters; n > 0; --n) {
    made += kLetters[random() % std::size(kLetters)];
  }
  return made;
}

// About so many bytes, of words from a small vocabulary.
inline std::string text_of(std::mt19937_64& random, std::size_t bytes) {
  std::vector<std::string> words;
  for (int i = 0; i < 200; ++i) words.push_back(word(random, i % 10 == 0 ? 40 : 7));
  std::string text = words[0];
  while (text.size() < bytes) text += " " + words[random() % words.size()];
  return text;
}

// One word after the other, about so many bytes.
inline std::string repeated(const std::string& word, std::size_t bytes) {
  std::string text = word;
  while (text.size() < bytes) text += " " + word;
  return text;
}

// A ninth of them are up to 4 000 bytes long, the others up to `most`.
inline TextBatch random_texts(std::size_t count, std::uint64_t seed, std::size_t most = 300) {
  std::mt19937_64 random(seed);
  TextBatch texts;
  for (std::size_t i = 0; i < count; ++i)
    texts.push(text_of(random, random() % (i % 9 == 0 ? 4000 : most)));
  return texts;
}

// One token, words that end at every place of a step, words longer than a step, repetitions.
inline TextBatch awkward_texts() {
  TextBatch texts;
  for (const char* text :
       {"a", "a b", "語", "a a a a a a a a a a a a a a a a a a", "語 語 語 語"}) {
    texts.push(text);
  }
  std::string grown;
  for (int i = 0; i < 70; ++i) texts.push(grown += 'x');
  for (int i = 0; i < 40; ++i) texts.push(grown += i % 3 == 0 ? " y" : "z");
  texts.push(std::string(600, 'w') + " end");
  std::mt19937_64 random(4);
  for (const std::size_t bytes : {500, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 8200}) {
    texts.push(text_of(random, bytes));
  }
  return texts;
}

// Above the length from which texts are cut, also with all tokens the same, or with none of them
// ended for a long while.
inline TextBatch long_texts() {
  std::mt19937_64 random(5);
  TextBatch texts;
  texts.push(text_of(random, 65'536));
  texts.push("short");
  texts.push(text_of(random, 150'001));
  texts.push(repeated("again", 70'000));
  texts.push(repeated("again", 30'000));
  texts.push(repeated(text_of(random, 300), 100'000));
  texts.push(repeated(text_of(random, 3000), 60'000));
  texts.push("one " + std::string(90'000, 'o') + " two");
  return texts;
}

inline std::vector<SketchTask> tasks_of(const TextBatch& texts) {
  std::vector<SketchTask> tasks;
  for (std::uint32_t i = 0; i < texts.size(); ++i) tasks.push_back({i, i % 3});
  return tasks;
}

// All of row i.
inline auto row_of(const SketchRows& rows, std::size_t i) {
  const auto words = [](const std::uint64_t* row, std::size_t width) {
    return std::vector(row, row + width);
  };
  return std::make_tuple(words(rows.sketch(i), rows.shape.sketch_words()),
                         words(rows.one_bit(i), rows.shape.one_bit_words()),
                         words(rows.buckets(i), rows.shape.bands), rows.distinct_shingles[i]);
}

}  // namespace neardup
