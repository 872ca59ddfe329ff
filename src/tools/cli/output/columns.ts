import { fit, widthOf } from "./terminal-text.ts";

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
