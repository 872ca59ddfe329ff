// @ts-check
// Reads the rows of a table: CSV as RFC 4180 has it, or with tabs between the columns, as spreadsheets copy it.

/** @typedef {{ line: number, cells: string[], isOpen: boolean }} Row its first line, from 1; open: a quotation mark is not closed */

/**
 * @param {string} text
 * @param {"," | ";" | "\t"} separator
 * @returns {Row[]} without blank lines
 */
export function rowsOf(text, separator) {
  /** @type {Row[]} */
  const rows = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)("?)|([^${separator}\\n]*))([^${separator}\\n]*)(${separator}|\\n|$)`, "y");
  let line = 1;
  for (let row = emptyRow(line); cell.lastIndex < text.length || row.cells.length > 0;) {
    const [whole, quoted, closed, plain = "", rest = "", end] = /** @type {RegExpExecArray} */ (cell.exec(text));
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest);
    row.isOpen ||= quoted !== undefined && closed === "";
    line += whole.split("\n").length - 1;
    if (end === separator) continue;
    if (row.cells.some((text) => text.trim() !== "")) rows.push(row);
    if (cell.lastIndex >= text.length) break;
    row = emptyRow(line);
  }
  return rows;
}

/** @param {number} line */
const emptyRow = (line) => ({ line, cells: /** @type {string[]} */ ([]), isOpen: false });
