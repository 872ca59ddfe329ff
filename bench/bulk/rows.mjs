// The rows of the benchmark of many rows: texts of a number of tokens, each another one, and a question about them.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { COMPLAINT, openTokens, TEN_TOPICS, variantOf } from "../workloads.mjs";

/** A text has one of so many numbers at its end. */
const VARIANTS = 10_000;

const { cut } = await openTokens();

/** @param {number} count of options */
export function questionsOf(count) {
  const criteria = Object.fromEntries(TEN_TOPICS.slice(0, count).map((topic) => [topic, null]));
  return { team: { type: "choice", instructions: "Which team should handle this?", criteria } };
}

/** A text without end of numbered variants. @param {number} tokens of each */
export function* states(tokens) {
  const text = cut(COMPLAINT.repeat(Math.ceil(tokens / 150)), tokens);
  for (let i = 0; ; i = (i + 1) % VARIANTS) yield variantOf(text, i);
}

/** Writes questions.json and rows.csv into a folder. */
export async function writeTable(folder, { rows, tokens, options }) {
  await writeFile(`${folder}/questions.json`, JSON.stringify(questionsOf(options)));
  const file = createWriteStream(`${folder}/rows.csv`);
  file.write("id,text\n");
  const texts = states(tokens);
  for (let id = 0; id < rows; id++) if (!file.write(`${id},"${texts.next().value.replaceAll('"', '""')}"\n`)) await once(file, "drain");
  file.end();
  await once(file, "close");
}
