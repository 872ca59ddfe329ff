// Reads the sets of the data folder: every file in its */eval folders.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { badInput } from "./library.mjs";
import { readNli } from "./read-nli.mjs";
import { readQuestions } from "./read-questions.mjs";

/**
 * @param {string} folder
 * @returns {Promise<{ questions: import("./read-questions.mjs").QuestionSet[], nli: import("./read-nli.mjs").NliSet[] }>} by name
 * @throws {ToolError}
 */
export async function readDataFolder(folder) {
  const files = await evalFiles(folder);
  const questions = [];
  const nli = [];
  for (const file of files) {
    if (/\.tsv(\.gz)?$/.test(file)) nli.push(await readNli(file));
    else if (/\.jsonl(\.gz)?$/.test(file)) questions.push(await readQuestions(file));
  }
  if (questions.length + nli.length === 0)
    throw badInput(`${folder} has no sets. Sets are .jsonl, .jsonl.gz, .tsv and .tsv.gz files in */eval.`);
  return { questions, nli };
}

async function evalFiles(folder) {
  const kinds = await readdir(folder).catch((cause) => {
    throw badInput(`The data folder ${folder} cannot be read (${cause.code}). Name another one with --data.`, { cause });
  });
  const files = kinds.sort().map(async (kind) => {
    const place = join(folder, kind, "eval");
    // A kind of data without an eval folder is not measured.
    const names = await readdir(place).catch(() => []);
    return names.sort().map((name) => join(place, name));
  });
  return (await Promise.all(files)).flat();
}
