/** Text of a caller, made fit to be shown in a terminal. Widths are in cells: a wide character takes two. */

/** Controls, line separators, bidirectional overrides and lone surrogates: what could drive the terminal or lie about its content. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

const WIDE =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}])/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]/u;

/**
 * A cell holds a letter and its accents; with more UTF-16 units than this it is no language. The segmenter must be given short texts: its time
 * grows with the square of their length.
 */
const MAX_UNITS_PER_CELL = 8;

/** Most texts: one cell a character. */
const PLAIN = /^[ -~]*$/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Shows what is unsafe as its JSON escape, so that JSON stays the same JSON. Line feeds stay. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (unsafe) => (unsafe === "\n" ? unsafe : `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

/** On one line, every run of white space as one space. */
export function oneLine(text: string): string {
  return escapeControls(text.replace(/\s+/gu, " ").trim());
}

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return Array.from(graphemes.segment(text), ({ segment }) => cellsOf(segment)).reduce((a, b) => a + b, 0);
}

/** The start of a line that fits into `cells`, with "…" where something was left out. */
export function clip(text: string, cells: number): string {
  return fits(text, cells) ? text : `${headOf(text, cells - 1).trimEnd()}…`;
}

/** One line, clipped to `cells` and filled up with spaces. */
export function fit(text: string, cells: number): string {
  const clipped = clip(text, cells);
  return clipped + " ".repeat(Math.max(0, cells - widthOf(clipped)));
}

/** Lines of at most `cells`, broken at spaces, and inside a word where it is longer than a line. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer, cells)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const broken = pieces(word, cells);
    line = broken.pop() ?? "";
    lines.push(...broken);
  }
  return [...lines, line];
}

/** A text cut between its characters into pieces of at most `cells`. */
function pieces(text: string, cells: number): string[] {
  const cut: string[] = [];
  for (let rest = text; rest !== "";) {
    const head = headOf(rest, cells);
    cut.push(head);
    rest = rest.slice(head.length);
  }
  return cut;
}

function fits(text: string, cells: number): boolean {
  return text.length <= cells * MAX_UNITS_PER_CELL && widthOf(text) <= cells;
}

/** The first characters, `cells` at most but one at least. */
function headOf(text: string, cells: number): string {
  const start = text.slice(0, Math.max(cells, 1) * MAX_UNITS_PER_CELL);
  let used = 0;
  for (const { segment, index } of graphemes.segment(start)) {
    used += cellsOf(segment);
    if (used > cells && index > 0) return start.slice(0, index);
  }
  return start;
}

function cellsOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return INVISIBLE.test(grapheme) ? 0 : 1;
}
