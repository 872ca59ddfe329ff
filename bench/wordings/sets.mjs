// Rows with known answers for each kind of question of docs/wordings.md: of the data folder, of the texts beside this file, and of bench/languages.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readRows, sampled } from "../accuracy/library.mjs";
import { sectionsOf } from "../languages/sections.mjs";

const SEED = 7;
/** Rows of each answer to a yes/no question; of a set with more answers, twice as many in all. */
const ROWS = 100;
/** Of all texts, this share was kept out of training; a text's digest alone decides (models/training, prepare/holdout.py). */
const HELD_OUT = 0.07;

/** @typedef {{ text: string, label: string }} Row */

/** The rows of one kind. @param {string} kind @param {{ data: string }} options the data folder @returns {Promise<Row[]>} */
export function readKind(kind, { data }) {
  const read = KINDS[kind] ?? (() => ownTexts(kind));
  return read(data);
}

const KINDS = {
  "spam in messages": async (data) =>
    yesNo([...(await heldOut(data, "sms_spam")), ...(await heldOut(data, "youtube_spam"))], ({ label }) => label === "spam"),
  insult: async (data) => yesNo(await heldOut(data, "tweet_offensive"), ({ label }) => label === "offensive"),
  "personal data": async (data) => yesNo(await heldOut(data, "pii_contains"), ({ label }) => label === "contains personal data"),
  "on topic": async (data) => yesNo(await heldOut(data, "clinc_domain"), ({ label }) => ["banking", "credit cards"].includes(label)),
  "next step": async (data) => sampled(await heldOut(data, "sgd_next_action"), 2 * ROWS, SEED),
  language: async () => {
    const read = async (file) => sectionsOf(await readFile(new URL(`../languages/${file}.txt`, import.meta.url), "utf8"));
    const [foreign, english] = [await read("foreign"), await read("english")];
    const others = Object.values(foreign).map(([first]) => ({ text: first, label: "no" }));
    const own = sampled(Object.values(english).flat(), others.length, SEED).map((text) => ({ text, label: "yes" }));
    return [...others, ...own];
  },
};

/** The rows of a set that no model was trained on. @param {string} data @param {string} name @returns {Promise<Row[]>} */
async function heldOut(data, name) {
  const rows = await readRows(join(data, "cls", "train", `${name}.jsonl.gz`));
  return rows
    .map(({ value }) => value)
    .filter(({ text }) => createHash("sha256").update(text).digest().readUInt32BE() < HELD_OUT * 2 ** 32);
}

/** @param {readonly Row[]} rows @param {(row: Row) => boolean} isYes @returns {Row[]} at most ROWS of each answer */
function yesNo(rows, isYes) {
  const [yes, no] = [rows.filter(isYes), rows.filter((row) => !isYes(row))];
  const drawn = (those, label) => sampled(those, ROWS, SEED).map(({ text }) => ({ text, label }));
  return [...drawn(yes, "yes"), ...drawn(no, "no")];
}

/** @param {string} kind @returns {Promise<Row[]>} */
async function ownTexts(kind) {
  const lines = (await readFile(new URL(`${kind.replaceAll(" ", "-")}.tsv`, import.meta.url), "utf8")).trimEnd().split("\n");
  return lines.map((line) => line.split("\t")).map(([label, text]) => ({ text, label }));
}
