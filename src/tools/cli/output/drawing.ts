import { fit, widthOf } from "./terminal-text.ts";

/** Numbers drawn as text. Each drawing is exactly `cells` terminal cells wide. */

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
