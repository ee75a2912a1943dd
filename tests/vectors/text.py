"""docs/formats/text.md in plain Python, from folded text on: what separates, and where runs are cut.

Written from that page, never from the C++. For texts that folding leaves as they are, as those of the vectors.
"""

import unicodedata

import sketch

SINGLE = ("3005-3007 3021-3029 3031-3035 3038-303C 3040-30FF 31F0-31FF 3400-4DBF 4E00-9FFF F900-FAFF 1AFF0-1B16F "
          "20000-3FFFF")
LETTERS = ("0E01-0E30 0E32-0E33 0E40-0E46 0E81-0E82 0E84 0E86-0E8A 0E8C-0EA3 0EA5 0EA7-0EB0 0EB2-0EB3 0EBD 0EC0-0EC4 "
           "0EC6 0EDC-0EDF 1000-102A 103F 1050-1055 105A-105D 1061 1065-1066 106E-1070 1075-1081 108E 1780-17B3 17D7 "
           "17DC 1950-196D 1970-1974 1980-19AB 19B0-19C9 1A20-1A54 1AA7 A9E0-A9E4 A9E6-A9EF A9FA-A9FE AA60-AA76 AA7A "
           "AA7E-AAAF AAB1 AAB5-AAB6 AAB9-AABD AAC0 AAC2 AADB-AADD 11700-1171A 11740-11746")


def code_points(ranges):
    ends = ([int(end, 16) for end in part.split("-")] for part in ranges.split())
    return frozenset(chr(c) for first, *last in ends for c in range(first, (last or [first])[0] + 1))


SINGLES, SPACELESS = code_points(SINGLE), code_points(LETTERS)


FOLDED = "0591-05BD 05BF 05C1-05C2 05C4-05C5 05C7 0640 064B-0652 0670"  # with `text.fold: marks`


def is_mark(c):
    return unicodedata.category(c)[0] == "M"


def is_word(c):
    return unicodedata.category(c) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Mn", "Mc", "Me", "Nd", "Pc")


def cut(letter, following):
    return sketch.mix64(ord(letter) << 32 | ord(following)) < 0x5555555555555555


def tokens(folded):
    """The tokens of a folded text."""
    found, letter = [""], None  # the last token may be empty; `letter`: the last one of a run of spaceless letters
    for c in folded:
        if c in SPACELESS:
            if letter is None or cut(letter, c):
                found.append("")
            letter = c
        elif not is_word(c) or c in SINGLES:
            found.append("")
            letter = None
        elif letter is not None and not is_mark(c):
            found.append("")
            letter = None
        if is_word(c):
            found[-1] += c
        if c in SINGLES:
            found.append("")
    return [token for token in found if token]


def normalised(folded, fold="none"):
    gone = code_points(FOLDED) if fold == "marks" else ()
    return " ".join(tokens("".join(c for c in folded if c not in gone)))
