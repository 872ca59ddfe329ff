/** Makes text from outside safe to show in a terminal. Widths are in cells: a wide character takes two. */

/** Characters that could control the terminal or misrepresent the text: controls, line separators, bidirectional overrides, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

const WIDE =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}])/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]/u;

/**
 * The most UTF-16 units that we expect in one cell: a letter with its accents needs no more in any language. It bounds the texts given to the
 * segmenter, whose time grows with the square of their length.
 */
const MAX_UNITS_PER_CELL = 8;

/** Printable ASCII, where each character takes one cell. */
const PLAIN = /^[ -~]*$/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Replaces unsafe characters with their JSON escapes, so that JSON keeps its meaning. Line feeds stay. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, (unsafe) => (unsafe === "\n" ? unsafe : `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

/** The text on one line, with each run of white space as one space. */
export function oneLine(text: string): string {
  return escapeControls(text.replace(/\s+/gu, " ").trim());
}

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return Array.from(graphemes.segment(text), ({ segment }) => cellsOf(segment)).reduce((a, b) => a + b, 0);
}

/** The start of a line, at most `cells` wide, with "…" if something was left out. */
export function clip(text: string, cells: number): string {
  return fits(text, cells) ? text : `${headOf(text, cells - 1).trimEnd()}…`;
}

/** One line of exactly `cells`: clipped, or padded with spaces. */
export function fit(text: string, cells: number): string {
  const clipped = clip(text, cells);
  return clipped + " ".repeat(Math.max(0, cells - widthOf(clipped)));
}

/** Lines of at most `cells`, broken at spaces. A word longer than a line is broken as well. */
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

/** The first characters, at most `cells` wide but at least one. */
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

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for a share of 0 to 1, with a precision of an eighth of a cell. A share above 0 is always visible. */
export function bar(share: number, cells: number): string {
  const eighths = Math.max(Math.round(share * cells * 8), share > 0 ? 1 : 0);
  return ("█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "")).padEnd(cells);
}

/** A share of 0 to 1 as a percentage, in four cells. 0% and 100% appear only for shares that also round to them at a tenth of a percent. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 0 && share >= 0.0005) return " <1%";
  if (rounded === 100 && share < 0.9995) return ">99%";
  return `${rounded}%`.padStart(4);
}

/** A line with a tick for each level, and a mark at `score`, which is 0 to `levels - 1`. */
export function scale(score: number, levels: number, cells: number): { before: string; mark: string; after: string } {
  const line = Array.from({ length: cells }, () => "─");
  const cellOf = (position: number): number => Math.round((position / (levels - 1)) * (cells - 1));
  for (let level = 0; level < levels; level++) line[cellOf(level)] = level === 0 ? "├" : level === levels - 1 ? "┤" : "┼";
  const at = cellOf(score);
  return { before: line.slice(0, at).join(""), mark: "◆", after: line.slice(at + 1).join("") };
}

/**
 * A table as lines of text, its columns two spaces apart.
 * @param rows the first is the header; the first column is left-aligned, the others are right-aligned
 */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const cell = (text: string, i: number): string => {
    const width = widths[i] ?? 0;
    return i === 0 ? fit(text, width) : " ".repeat(Math.max(0, width - widthOf(text))) + text;
  };
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}

/** A size for people, in decimal units as disks are sold: `23 MB`, `1.4 GB`. */
export function bytesText(sizeBytes: number): string {
  if (sizeBytes < 1e3) return `${sizeBytes} B`;
  if (sizeBytes < 1e6) return `${Math.round(sizeBytes / 1e3)} kB`;
  // Rounded up to 1000 MB, it would be a GB.
  return sizeBytes < 999.5e6 ? `${Math.round(sizeBytes / 1e6)} MB` : `${(sizeBytes / 1e9).toFixed(1)} GB`;
}
