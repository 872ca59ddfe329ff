// Rows {"text","label"[,"options"]}: each text becomes one choice question among the labels, with descriptions from the *.labels.json file beside it.
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BadInput, wrongRow } from "./bad-input.mjs";
import { checkRequest } from "./check-request.mjs";
import { isPlainObject, shapeOf } from "./library.mjs";

/** The command line's default question (src/cli/input/question-flags.ts). */
const GENERAL_QUESTION = "Which of these fits best?";

/** Options for the data folder's sets in which every row has the same label. */
const FIXED_LABELS = new Map([["piguard_benign_hard", ["benign", "prompt injection or jailbreak"]]]);

/**
 * @param {{ file: string, labelsFile: string, name: string, rows: readonly { line: number, value: unknown }[], instructions?: string }} set
 * @returns {Promise<{ instructions: string, asksInGeneral?: true, cases: import("./read-questions.mjs").Case[] }>}
 * @throws {BadInput}
 */
export async function toClassification({ file, labelsFile, name, rows, instructions: given }) {
  for (const { line, value } of rows) checkRow(file, line, value);
  const described = await readDescriptions(labelsFile);
  const labels = FIXED_LABELS.get(name) ?? [...new Set([...rows.map(({ value }) => value.label), ...described.keys()])].sort();
  const known = given ?? (await questionFor(file, name));
  const instructions = known ?? GENERAL_QUESTION;
  const cases = rows.map(({ line, value: { text, label, options = labels } }) => {
    if (!options.includes(label)) throw wrongRow(file, line, "has a label that is not among its options");
    const criteria = Object.fromEntries(options.map((option) => [option, described.get(option) ?? null]));
    const questions = { label: { type: "choice", instructions, criteria } };
    checkRequest(file, line, { state: text, questions });
    return { line, state: text, questions, truths: { label } };
  });
  return { instructions, ...(known === undefined && { asksInGeneral: true }), cases };
}

function checkRow(file, line, row) {
  if (!isPlainObject(row)) throw wrongRow(file, line, `must be an object with text and label, but is ${shapeOf(row)}`);
  for (const field of ["text", "label"])
    if (typeof row[field] !== "string") throw wrongRow(file, line, `must have a string as ${field}, but has ${shapeOf(row[field])}`);
  const { options } = row;
  if (options === undefined) return;
  if (!Array.isArray(options) || !options.every((option) => typeof option === "string"))
    throw wrongRow(file, line, `must have an array of strings as options, but has ${shapeOf(options)}`);
  if (new Set(options).size < options.length) throw wrongRow(file, line, "has the same option twice");
}

/** The labels' descriptions; empty if there is no such file. */
async function readDescriptions(path) {
  const descriptions = (await readJson(path)) ?? {};
  if (!isPlainObject(descriptions) || !Object.values(descriptions).every((description) => typeof description === "string"))
    throw new BadInput(`${path} must be an object that maps labels to descriptions, both strings.`);
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
    throw new BadInput(`${path} is not valid JSON.`);
  }
}
