// What is shown as a file: JSON Lines, each flag with all its fields, or CSV.
import { button, element } from "./dom.js";

const columns = ["seq", "status", "namespace", "id", "duplicate_of", "similarity", "reason"];

// flags(): the shown ones.
export function downloadButtons(flags) {
  return [
    button("Save as JSON Lines", () =>
      save(
        "flags.jsonl",
        "application/jsonl",
        flags().map((flag) => `${JSON.stringify(flag)}\n`),
      ),
    ),
    button("Save as CSV", () => save("flags.csv", "text/csv", [columns, ...flags().map(csvRow)].map(csvLine))),
  ];
}

function csvRow(flag) {
  return columns.map((name) => flag[name] ?? "");
}

// RFC 4180. A text that a spreadsheet would take for a formula begins with an apostrophe (OWASP, "CSV Injection").
function csvLine(cells) {
  const quote = (cell) => {
    const text = typeof cell === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : String(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${cells.map(quote).join(",")}\r\n`;
}

function save(name, type, lines) {
  const url = URL.createObjectURL(new Blob(lines, { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
