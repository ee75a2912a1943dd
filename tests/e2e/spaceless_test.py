"""Texts of scripts without spaces between words, with the default settings, in one state with other languages; and
Arabic and Hebrew with and without their marks."""

import json
import random
import unittest

import neardup
from corpus import SPACELESS
from folder import FolderTest

SEED = 3


class Words:
    """A vocabulary of made words of a script, and texts of it."""

    def __init__(self, letters, marks):
        self.random = random.Random(SEED)
        self.words = ["".join(self.random.choice(letters) + self.random.choice(marks)
                              for _ in range(self.random.randint(1, 3))) + self.random.choice(letters)
                      for _ in range(3000)]

    def text(self, count=300):
        return self.random.choices(self.words, k=count)

    def edited(self, text):
        middle = len(text) // 2
        return [*text[:middle], self.random.choice(self.words), *text[middle + 1:]]


def phrases(words, length):
    return " ".join("".join(words[i:i + length]) for i in range(0, len(words), length))


class Spaceless(FolderTest):
    def statuses(self, texts, *sets):
        path = self.folder / "input.jsonl"
        with path.open("w", encoding="utf-8") as lines:
            for i, text in enumerate(texts):
                lines.write(json.dumps({"id": str(i), "text": text}, ensure_ascii=False) + "\n")
        flags = neardup.parse_flags(neardup.scan_or_fail([path], self.output, sets=sets))
        return [(flag["status"], flag.get("duplicate_of")) for flag in flags]

    def test_one_changed_word_leaves_a_near_duplicate(self):
        texts, wanted = [], []
        for letters, marks in SPACELESS:
            for length in (300, 12):  # without any space; a space behind each phrase of 12 words
                words = Words(letters, marks)
                original = words.text() if length == 300 else words.text()[::-1]
                texts += [phrases(original, length), phrases(words.edited(original), length)]
                wanted += [("unique", None), ("near_duplicate", str(len(texts) - 2))]
        english = [f"word{i}" for i in range(300)]
        texts += [" ".join(english), " ".join([*english[:150], "other", *english[151:]])]
        wanted += [("unique", None), ("near_duplicate", str(len(texts) - 2))]
        self.assertEqual(self.statuses(texts), wanted)

    def test_other_texts_of_the_same_words_are_unique(self):
        for letters, marks in SPACELESS:
            words = Words(letters, marks)
            texts = ["".join(words.text()) for _ in range(20)]
            self.assertEqual(self.statuses(texts), [("unique", None)] * 20)

    def test_zero_width_spaces_and_other_widths_count_for_nothing(self):
        text = Words(*SPACELESS[2]).text()
        self.assertEqual(self.statuses(["".join(text), "\u200b".join(text)])[1], ("exact_duplicate", "0"))

    def test_marks_of_arabic_and_hebrew_count_unless_they_are_folded(self):
        texts = ["قطار سريع من مدينة الى مدينة", "قِطَارٌ سَرِيعٌ مِن مَدينـــة الى مَدِينَةٍ", "בראשית ברא אלהים את השמים ואת",
                 "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת"]
        self.assertEqual(self.statuses(texts), [("unique", None)] * 4)
        self.assertEqual(self.statuses(texts, "text.fold=marks"),
                         [("unique", None), ("exact_duplicate", "0"), ("unique", None), ("exact_duplicate", "2")])


if __name__ == "__main__":
    unittest.main()
