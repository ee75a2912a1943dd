"""A corpus in which everything happens that a flag can say, the same one for the same seed."""

import json
import random

WORDS = 4000
CJK = [chr(code) for code in range(0x4E00, 0x4E00 + 600)]
TEMPLATE_SLOTS = 4
REJECTED = [b'{"id":"broken","text":"no end', b'[1]', b'{"text":"no id"}', b'{"id":3,"text":"x"}', b'{"id":"only-id"}',
            b'{"id":"twice","id":"twice","text":"x"}', b'{"id":"\\ud800","text":"x"}', b'not json at all']


# For each script without spaces, consonants and the marks and vowels that follow them.
SPACELESS = (("กขคงจชดตถทนบปผพมยรลวสหอ", "าะัิุ่้"), ("ກຂຄງຈຊດຕຖທນບປພມຍຣລວສຫອ", "າະັິຸ່້"),
             ("កខគឃងចឆជញដតថទធនបពមយរលវសហអ", "ាិីុេំ"), ("ကခဂငစဆညတထဒနပဖဗမယရလဝသဟအ", "ါိုေ့်"))


class Corpus:
    """Lines (bytes) that are fresh texts, copies, edits, versions, deletes, templates, short and bad ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.weights = [1 / (rank + 5) for rank in range(WORDS)]  # Zipf
        self.templates = [self._words(60) for _ in range(5)]
        self.living = {}  # (namespace, id) → words
        self.ids = 0

    def lines(self, count):
        return [self._line() for _ in range(count)]

    def _line(self):
        makers = (self._fresh, self._copy, self._edit, self._version, self._delete, self._template, self._short,
                  self._cjk, self._again, self._rejected)
        return self.random.choices(makers, weights=(30, 8, 25, 8, 4, 12, 4, 5, 3, 2))[0]()

    def _words(self, count):
        return [f"word{i}" for i in self.random.choices(range(WORDS), self.weights, k=count)]

    def _pick(self):
        return self.random.choice(list(self.living)) if self.living else None

    def _record(self, name, words, joiner=" "):
        self.living[name] = words
        record = {"id": name[1], "text": joiner.join(words)}
        if name[0]:
            record["namespace"] = name[0]
        if self.random.random() < 0.5:
            record["ts"] = self.random.choice([1_600_000_000 + self.ids, "2024-01-01T00:00:00Z", "never", None])
        return json.dumps(record, ensure_ascii=self.random.random() < 0.5).encode()

    def _new_name(self):
        self.ids += 1
        return self.random.choice(["", "", "news"]), f"doc-{self.ids}"

    def _edited(self, words):
        words = list(words)
        for _ in range(self.random.randint(1, max(1, len(words) // 60))):
            at = self.random.randrange(len(words) + 1)
            words[at:at + self.random.randint(0, 2)] = self._words(self.random.randint(0, 2))
        return words

    def _fresh(self):
        return self._record(self._new_name(), self._words(self.random.choice([8, 40, 150, 400])))

    def _copy(self):
        source = self._pick()
        return self._record(self._new_name(), self.living[source]) if source else self._fresh()

    def _edit(self):
        source = self._pick()
        return self._record(self._new_name(), self._edited(self.living[source])) if source else self._fresh()

    def _version(self):
        name = self._pick()
        return self._record(name, self._edited(self.living[name])) if name else self._fresh()

    def _again(self):
        name = self._pick()
        return self._record(name, self.living[name]) if name else self._fresh()

    def _delete(self):
        name = self._pick() if self.random.random() < 0.8 else ("", "stranger")
        if name is None:
            return self._fresh()
        self.living.pop(name, None)
        return json.dumps({"id": name[1], "namespace": name[0], "delete": True}).encode()

    def _template(self):
        words = list(self.random.choice(self.templates))
        for at in self.random.sample(range(len(words)), self.random.randint(0, TEMPLATE_SLOTS)):
            words[at] = self._words(1)[0]
        return self._record(self._new_name(), words)

    def _short(self):
        return self._record(self._new_name(), self._words(self.random.randint(0, 4)))

    def _cjk(self):
        return self._record(self._new_name(), self.random.choices(CJK, k=self.random.choice([3, 60, 200])), "")

    def _rejected(self):
        return self.random.choice(REJECTED)


class SpacelessCorpus(Corpus):
    """The same of Thai, Lao, Khmer and Burmese words, without spaces but for one in a while, and digits or Latin."""

    def __init__(self, seed):
        self.words = [self._word(random.Random(i), *SPACELESS[i % 4]) for i in range(WORDS)]
        super().__init__(seed)

    @staticmethod
    def _word(rng, letters, marks):
        return "".join(rng.choice(letters) + rng.choice(marks) * rng.randint(0, 1) for _ in range(rng.randint(2, 6)))

    def _words(self, count):
        words = self.random.choices(self.words, self.weights, k=count)
        return [word + self.random.choice(("",) * 12 + (" ", "2563", "abc", "๑")) for word in words]

    def _record(self, name, words, joiner=""):
        return super()._record(name, words, joiner)
