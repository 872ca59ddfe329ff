import { basename } from "node:path";
import { readLines, wrongRow } from "./library.mjs";

export const LABELS = ["entailment", "neutral", "contradiction"];
/** Stands for neutral and contradiction in sets with two labels. */
export const OTHER = "not_entailment";

/**
 * @typedef {{ line: number, label: string, premise: string, hypothesis: string }} NliRow
 * @typedef {object} NliSet
 * @property {string} name the file's name without extensions
 * @property {string} file
 * @property {readonly string[]} labels two or three
 * @property {NliRow[]} rows
 */

/**
 * @param {string} file .tsv or .tsv.gz with label, premise and hypothesis on each line
 * @returns {Promise<NliSet>}
 * @throws {ToolError}
 */
export async function readNli(file) {
  const rows = (await readLines(file)).map(({ number: line, text }) => {
    const fields = text.split("\t");
    if (fields.length !== 3) throw wrongRow(file, line, `must have three tab-separated fields, but has ${fields.length}`);
    const [label, premise, hypothesis] = fields;
    if (![...LABELS, OTHER].includes(label)) throw wrongRow(file, line, `must start with ${[...LABELS, OTHER].join(", ")}`);
    return { line, label, premise, hypothesis };
  });
  const labels = rows.some(({ label }) => label === OTHER) ? ["entailment", OTHER] : LABELS;
  const stray = rows.find(({ label }) => !labels.includes(label));
  if (stray !== undefined)
    throw wrongRow(file, stray.line, `has a label that is not allowed in a set with ${OTHER}, which has ${labels.join(" and ")}`);
  return { name: basename(file).replace(/\.tsv(\.gz)?$/, ""), file, labels, rows };
}
