// Shared passages in texts: from bytes of UTF-8 to what a page can show.

// marks: [begin, end) in bytes of UTF-8, ascending. Returns them in UTF-16 code units of `text`.
export function unitsOf(text, marks) {
  let unit = 0;
  let byte = 0;
  const at = (wanted) => {
    while (byte < wanted && unit < text.length) {
      const code = text.codePointAt(unit);
      byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      unit += code < 0x10000 ? 1 : 2;
    }
    return unit;
  };
  return marks.map(([begin, end]) => [at(begin), at(end)]);
}

// [begin, end) of the part of a long text that begins at `unit`, or as near as there is enough text. No character is cut.
export function partFrom(text, unit, most) {
  const begin = Math.max(0, Math.min(Math.floor(unit), text.length - most));
  return [onBoundary(text, begin), onBoundary(text, Math.min(begin + most, text.length))];
}

function onBoundary(text, unit) {
  const code = text.charCodeAt(unit);
  return code >= 0xdc00 && code < 0xe000 ? unit + 1 : unit;
}

const compared = 400; // code units of a passage, which are enough to know it again

// The index of the passage of `marks` in `text` that has the words of `passage`, or -1.
export function sameWords(passage, text, marks) {
  const wanted = words(passage);
  const found = marks.map(([begin, end]) => words(text.slice(begin, Math.min(end, begin + compared))));
  const equal = found.indexOf(wanted);
  if (equal >= 0) return equal;
  return found.findIndex((other) => other !== "" && (other.includes(wanted) || wanted.includes(other)));
}

function words(passage) {
  return passage
    .slice(0, compared)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
