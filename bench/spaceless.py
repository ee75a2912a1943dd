#!/usr/bin/env python3
"""How to cut texts that are written without spaces: into grapheme clusters, ICU's words, or by content (decision 0040).

  bench/spaceless.py --root DIR > bench/results/spaceless.md

DIR holds the unpacked Debian packages hunspell-th, iso-codes, libreoffice-help-km, libreoffice-l10n-th and
libreoffice-l10n-km (apt-get download; dpkg -x), and python3-icu is needed. Each text is edited at random places: words are replaced
by others of the same corpus. All ways see the same texts and the same edits, and compare sets of 5 tokens exactly. Recall and
precision are of the pairs that are near-duplicates when the words themselves are the tokens, as in languages with spaces.
"""
import argparse
import gettext
import html
import pathlib
import random
import re
import statistics
import sys
import unicodedata

import icu

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "vectors"))
import text  # noqa: E402

THRESHOLD, SHINGLE = 0.8, 5
DOCUMENTS, FEWEST, UNRELATED = 300, 10, 20_000
HEAD = """# Texts of scripts without spaces, cut in three ways

`bench/spaceless.py` (ICU {icu}; Debian 12's hunspell-th, iso-codes, libreoffice-help-km, libreoffice-l10n-th and -km). Each cell of edits:
the mean similarity of a text and its copy with so many words replaced (one at least), and how many reach 0.8; of 5 tokens, exactly.
*Words* are those that were replaced: of the dictionary in generated texts, between U+200B in Khmer that has it, else ICU's, which favours
ICU. Recall and precision are of the pairs whose words have a similarity of 0.8, among all edits and {unrelated} unrelated pairs.
Replacing 2 % of the words leaves 0.82, so many pairs lie at the threshold. Sets with fewer than {fewest} texts are left out.
"""
EDITS = (0.01, 0.02, 0.05, 0.10)
ZERO_WIDTH_SPACE = "\u200b"
LENGTHS = (150, 300, 1500)  # letters of a text, at least


def pieces(kind, content, language):
    breaks = getattr(icu.BreakIterator, f"create{kind}Instance")(icu.Locale(language))
    unicode = icu.UnicodeString(content)
    breaks.setText(unicode)
    ends = [0, *breaks]
    return [str(unicode[a:b]) for a, b in zip(ends, ends[1:])]


def has_letters(piece):
    return any(map(text.is_word, piece))


def with_spaceless(cut_run):
    """Tokens by `cut_run` within runs that have letters of these scripts."""
    def tokens(words):
        found = []
        for run in "".join(c if text.is_word(c) else " " for c in "".join(words)).split():
            found += cut_run(run) if any(c in text.SPACELESS for c in run) else [run]
        return found
    return tokens


def ways(language):
    return {"words": lambda words: [word for word in words if has_letters(word)],
            "grapheme clusters": with_spaceless(lambda run: pieces("Character", run, language)),
            "ICU words": with_spaceless(lambda run: pieces("Word", run, language)),
            "cuts by content": lambda words: text.tokens("".join(words))}


def shingles(tokens):
    return frozenset(tuple(tokens[i:i + SHINGLE]) for i in range(max(1, len(tokens) - SHINGLE + 1)))


def similarity(a, b):
    common = len(a & b)
    return common / (len(a) + len(b) - common)


# --- texts, each a list of words and of what stands between them


def catalogues(root, language):
    """Messages of a language that are mostly in its script, joined to texts in the order of their catalogues."""
    for path in sorted(root.rglob("*.mo")):
        if language not in path.parts:
            continue
        with path.open("rb") as file:
            try:
                messages = gettext.GNUTranslations(file)._catalog.values()
            except (OSError, UnicodeDecodeError, ValueError):
                continue
            yield from (m for m in messages if isinstance(m, str) and sum(c in text.SPACELESS for c in m) * 3 > len(m))


def help_pages(root):
    for path in sorted(root.rglob("help/km/text/**/*.html")):
        body = path.read_text(encoding="utf-8").partition('id="DisplayArea"')[2].partition("</main>")[0]
        for paragraph in re.findall(r"<(?:p|h\d)[^>]*>(.*?)</(?:p|h\d)>", body, re.DOTALL):
            plain = html.unescape(re.sub(r"<[^>]*>", "", paragraph)).strip()
            if sum(c in text.SPACELESS for c in plain) * 3 > len(plain):
                yield plain


def joined(messages, letters):
    """Each message once."""
    content, seen = "", set()
    for message in messages:
        message = unicodedata.normalize("NFKC", message).casefold()
        if message in seen:
            continue
        seen.add(message)
        content += message + "\n"
        if len(content) >= letters:
            yield content
            content = ""


def words_of(content, language):
    """Khmer is typed with U+200B between words, which folding removes. Else they are ICU's."""
    if content.count(ZERO_WIDTH_SPACE) > len(content) / 50:
        return [part for word in content.split(ZERO_WIDTH_SPACE) for part in re.split(r"(\s+)", word) if part]
    return pieces("Word", content.replace(ZERO_WIDTH_SPACE, ""), language)


def real(messages, language, letters):
    return [words_of(content, language) for content in joined(messages, letters)]


def generated(root, letters, rng):
    """Thai words of the dictionary, as frequent as Zipf says, without a space but behind each 12 words or so."""
    dictionary = next(root.rglob("th_TH.dic")).read_text(encoding="utf-8").split("\n")[1:]
    words = [word for word in (line.split("/")[0].strip() for line in dictionary) if word and all(map(text.is_word, word))]
    words = [unicodedata.normalize("NFKC", word) for word in rng.sample(words, 8000)]
    weights = [1 / (rank + 5) for rank in range(len(words))]
    documents = []
    for _ in range(DOCUMENTS):
        content = []
        while sum(map(len, content)) < letters:
            content += rng.choices(words, weights, k=rng.randint(6, 18)) + [" "]
        documents.append(content)
    return documents


# --- the measurement


def edited(words, share, vocabulary, rng):
    words = list(words)
    places = [i for i, word in enumerate(words) if has_letters(word)]
    for at in rng.sample(places, max(1, round(share * len(places)))):
        words[at] = rng.choice(vocabulary)
    return words


def edit_cell(values):
    return f"{statistics.fmean(values):.3f}, {sum(value >= THRESHOLD for value in values) / len(values):.0%}"


def stranger_cell(values):
    ordered = sorted(values)
    return f"{statistics.fmean(values):.4f}, {ordered[int(0.999 * len(values))]:.3f}, {ordered[-1]:.3f}"


def measure(documents, language, rng):
    documents = rng.sample(documents, DOCUMENTS) if len(documents) > DOCUMENTS else documents
    vocabulary = [word for words in documents for word in words if has_letters(word)]
    copies = {share: [edited(words, share, vocabulary, rng) for words in documents] for share in EDITS}
    pairs = [rng.sample(range(len(documents)), 2) for _ in range(UNRELATED)]
    print(f"{len(documents)} texts.\n\n| way | tokens | " + " | ".join(f"{share:.0%} edited" for share in EDITS)
          + " | unrelated: mean, 99.9 %, most | recall | precision |")
    print("| --- | ---: | " + "---: | " * len(EDITS) + "---: | ---: | ---: |")
    truth = None
    for name, tokens in ways(language).items():
        cut = [tokens(words) for words in documents]
        sets = [shingles(tokens) for tokens in cut]
        values = {share: [similarity(a, shingles(tokens(words))) for a, words in zip(sets, copies[share])]
                  for share in EDITS}
        strangers = [similarity(sets[a], sets[b]) for a, b in pairs]
        flagged = [value >= THRESHOLD for value in (*(v for share in EDITS for v in values[share]), *strangers)]
        truth = truth or flagged
        right = sum(a and b for a, b in zip(truth, flagged))
        cells = [f"{statistics.median(map(len, cut)):.0f}", *map(edit_cell, values.values()), stranger_cell(strangers),
                 f"{right / max(1, sum(truth)):.3f}", f"{right / max(1, sum(flagged)):.3f}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, required=True, help="the unpacked packages")
    root = parser.parse_args().root
    print(HEAD.format(icu=icu.ICU_VERSION, unrelated=UNRELATED, fewest=FEWEST))
    for letters in LENGTHS:
        rng = random.Random(40)
        for title, language, documents in (
                ("Generated Thai", "th", generated(root, letters, rng)),
                ("Thai messages", "th", real(catalogues(root, "th"), "th", letters)),
                ("Khmer help pages", "km", real(help_pages(root), "km", letters)),
                ("Khmer messages", "km", real(catalogues(root, "km"), "km", letters)),
                ("Burmese messages", "my", real(catalogues(root, "my"), "my", letters))):
            if len(documents) >= FEWEST:
                print(f"## {title}, {letters} letters")
                measure(documents, language, rng)


if __name__ == "__main__":
    main()
