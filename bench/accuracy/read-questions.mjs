// Reads a file's rows as requests with their right answers, with the questions and labels that the data folder has for it.
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { badInput, DEFAULT_CHOOSE, isDecision, isPlainObject, readRows, toCases } from "./library.mjs";

/**
 * @typedef {import("../../src/tools/eval/cases.ts").Case} Case one request with its right answers
 *
 * @typedef {object} QuestionSet
 * @property {"cls" | "decisions" | "twins"} kind twins: decisions in pairs of rows, which differ in the deciding fact
 * @property {string} name the file's name without extensions
 * @property {string} file
 * @property {string} [instructions] the question asked about every text of a classification set
 * @property {boolean} [asksInGeneral] whether that is the general question, because none was given
 * @property {Case[]} cases of twins, the two rows of a pair one after the other
 */

const ENDING = /\.jsonl(\.gz)?$/;

/** Options for the data folder's sets in which every row has the same label. */
const FIXED_LABELS = new Map([["piguard_benign_hard", ["benign", "prompt injection or jailbreak"]]]);

/**
 * @param {string} file .jsonl or .jsonl.gz: rows {"text","label"[,"options"]}, with descriptions in the *.labels.json file beside it, or
 *   {"state","questions":{id:{...,"answer"}}}
 * @param {string} [given] the question for a classification file (default: the one for its name in `../instructions.json`)
 * @returns {Promise<QuestionSet>}
 * @throws {ToolError} names the line and the shape of the wrong value
 */
export async function readQuestions(file, given) {
  if (!ENDING.test(file)) throw badInput(`${file} must end in .jsonl or .jsonl.gz.`);
  const rows = await readRows(file);
  const name = basename(file).replace(ENDING, "");
  if (isDecision(rows[0]))
    return { kind: areTwins(rows) ? "twins" : "decisions", name, file, cases: toCases(file, rows, { instructions: given }) };
  const known = given ?? (await questionFor(file, name));
  const descriptions = await readDescriptions(file.replace(ENDING, ".labels.json"));
  const cases = toCases(file, rows, { instructions: known, descriptions, options: FIXED_LABELS.get(name) });
  return { kind: "cls", name, file, instructions: known ?? DEFAULT_CHOOSE, ...(known === undefined && { asksInGeneral: true }), cases };
}

/** Whether rows stand in pairs: each two have the same `pair`, which no other row has. */
function areTwins(rows) {
  const pairs = rows.map(({ value }) => value.pair);
  return (
    pairs.length % 2 === 0 &&
    new Set(pairs).size === pairs.length / 2 &&
    pairs.every((pair, i) => pair !== undefined && pair === pairs[i ^ 1])
  );
}

/** The labels' descriptions; empty if there is no such file. */
async function readDescriptions(path) {
  const descriptions = (await readJson(path)) ?? {};
  if (!isPlainObject(descriptions) || !Object.values(descriptions).every((description) => typeof description === "string"))
    throw badInput(`${path} must be an object that maps labels to descriptions, both strings.`);
  return new Map(Object.entries(descriptions));
}

/**
 * The question for a set of the data folder. Sets lie in `eval` and `train`; the instructions.json beside those folders has one question for each
 * eval set and several for each train set.
 */
async function questionFor(file, name) {
  const folder = dirname(file);
  const known = await readJson(join(folder, "..", "instructions.json"));
  return [known?.[basename(folder)]?.[name]].flat()[0];
}

async function readJson(path) {
  const text = await readFile(path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badInput(`${path} is not valid JSON.`);
  }
}
