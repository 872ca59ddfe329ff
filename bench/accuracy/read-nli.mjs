import { basename } from "node:path";
import { wrongRow } from "./bad-input.mjs";
import { readLines } from "./read-lines.mjs";

export const LABELS = ["entailment", "neutral", "contradiction"];
/** Sets of two labels: neutral and contradiction in one. */
export const OTHER = "not_entailment";

/**
 * @typedef {{ line: number, label: string, premise: string, hypothesis: string }} NliRow
 * @typedef {object} NliSet
 * @property {string} name the file's, without its endings
 * @property {string} file
 * @property {readonly string[]} labels two or three
 * @property {NliRow[]} rows
 */

/**
 * @param {string} file .tsv or .tsv.gz: label, premise and hypothesis a line
 * @returns {Promise<NliSet>}
 * @throws {BadInput}
 */
export async function readNli(file) {
  const rows = (await readLines(file)).map(({ number: line, text }) => {
    const fields = text.split("\t");
    if (fields.length !== 3) throw wrongRow(file, line, `must have three fields between tabs, but has ${fields.length}`);
    const [label, premise, hypothesis] = fields;
    if (![...LABELS, OTHER].includes(label)) throw wrongRow(file, line, `must start with ${[...LABELS, OTHER].join(", ")}`);
    return { line, label, premise, hypothesis };
  });
  const labels = rows.some(({ label }) => label === OTHER) ? ["entailment", OTHER] : LABELS;
  const stray = rows.find(({ label }) => !labels.includes(label));
  if (stray !== undefined) throw wrongRow(file, stray.line, `has a label other than those of a set with ${OTHER}: ${labels.join(", ")}`);
  return { name: basename(file).replace(/\.tsv(\.gz)?$/, ""), file, labels, rows };
}
