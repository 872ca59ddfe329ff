// Reads the two data formats as requests with their right answers.
import { basename } from "node:path";
import { BadInput, wrongRow } from "./bad-input.mjs";
import { toClassification } from "./classification.mjs";
import { toDecisions } from "./decisions.mjs";
import { isPlainObject, shapeOf } from "./library.mjs";
import { readJsonLines } from "./read-lines.mjs";

/**
 * @typedef {object} Case one request with its right answers
 * @property {number} line number in the file
 * @property {import("umpire").Text} state
 * @property {Record<string, import("umpire").Question>} questions
 * @property {Record<string, string>} truths option keys; "yes" or "no" for a noul (yes/no question), the level's number for a score
 *
 * @typedef {object} QuestionSet
 * @property {"cls" | "decisions"} kind
 * @property {string} name the file's name without extensions
 * @property {string} file
 * @property {string} [instructions] the question asked about every text of a classification set
 * @property {boolean} [asksInGeneral] whether that is the general question, because none was given
 * @property {Case[]} cases
 */

const ENDING = /\.jsonl(\.gz)?$/;

/**
 * @param {string} file .jsonl or .jsonl.gz: rows {"text","label"[,"options"]}, or {"state","questions":{id:{...,"answer"}}}
 * @param {string} [instructions] the question for a classification file (default: the one for its name in `../instructions.json`)
 * @returns {Promise<QuestionSet>}
 * @throws {BadInput} names the line and the shape of the wrong value
 */
export async function readQuestions(file, instructions) {
  if (!ENDING.test(file)) throw new BadInput(`${file} must end in .jsonl or .jsonl.gz.`);
  const rows = await readJsonLines(file);
  const name = basename(file).replace(ENDING, "");
  const [{ line, value: first }] = rows;
  if (isPlainObject(first) && "questions" in first) {
    if (instructions !== undefined) throw new BadInput(`${file} has its own questions, so leave --instructions out.`);
    return { kind: "decisions", name, file, cases: toDecisions(file, rows) };
  }
  if (isPlainObject(first) && "text" in first) {
    const labelsFile = file.replace(ENDING, ".labels.json");
    return { kind: "cls", name, file, ...(await toClassification({ file, labelsFile, name, rows, instructions })) };
  }
  throw wrongRow(file, line, `must be a row with text and label, or with state and questions, but is ${shapeOf(first)} without them`);
}
