// npm run bench:wordings -- --data <folder>: the tables of docs/wordings.md, each kind of question in several wordings, by `umpire eval` with both models.
// bench/wordings/README.md says which texts these are. `--only refund` measures one kind, `--show` also prints what `umpire eval` says.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { readKind } from "./wordings/sets.mjs";

const run = promisify(execFile);
const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    models: { type: "string", default: "umpire-2,umpire-3-base" },
    only: { type: "string" },
    wordings: { type: "string", default: fileURLToPath(new URL("wordings/questions.json", import.meta.url)) },
    show: { type: "boolean", default: false },
  },
});
const models = values.models.split(",");
const kinds = JSON.parse(await readFile(values.wordings, "utf8"));
const folder = await mkdtemp(join(tmpdir(), "umpire-wordings-"));
try {
  for (const [kind, questions] of Object.entries(kinds).filter(([name]) => values.only === undefined || name === values.only)) {
    const rows = await readKind(kind, values);
    const table = join(folder, "rows.jsonl");
    await writeFile(table, rows.map(({ text, label }) => `${JSON.stringify({ text, label })}\n`).join(""));
    const files = questions.map((_, i) => join(folder, `${i + 1}.json`));
    for (const [i, file] of files.entries()) await writeFile(file, JSON.stringify(questions[i]));
    const reports = [];
    for (const model of models) reports.push(await evaluated(table, files, model));
    console.log(tableOf(kind, rows, questions, reports));
  }
} finally {
  await rm(folder, { recursive: true });
}

async function evaluated(table, files, model) {
  const pack = fileURLToPath(new URL(`../models/${model}`, import.meta.url));
  const args = [CLI, "eval", table, ...files, "--model", pack, "--by", "macro-f1"];
  if (values.show) console.log((await run(process.execPath, [...args, "--pretty"])).stdout);
  return JSON.parse((await run(process.execPath, [...args, "--json"])).stdout);
}

/** The wordings with their accuracy and macro-F1 by model; `+` and `-`: more than chance better or worse than the first. */
function tableOf(kind, rows, questions, reports) {
  const yes = rows.filter(({ label }) => label === "yes").length;
  const counts = yes === 0 ? `${rows.length} texts` : `${rows.length} texts, ${yes} yes`;
  const lines = questions.map((question, i) => [wordsOf(question), ...reports.map((report) => figuresOf(report, i + 1))]);
  const head = [
    [`${kind} (${counts})`, ...models],
    ["---", ...models.map(() => "---")],
  ];
  return `${[...head, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function wordsOf({ instructions, criteria = {} }) {
  const described = Object.entries(criteria).filter(([, description]) => description !== null);
  return [instructions, ...described.map(([key, description]) => `\`${key}\`: ${description}`)].join(" ");
}

function figuresOf({ wordings, comparison }, number) {
  const { all } = wordings[number - 1];
  const difference = comparison.differences.find(({ better, worse }) => better + worse === number + 1 && (better === 1 || worse === 1));
  const sign = number === 1 || !difference.isMoreThanChance ? "" : difference.better === number ? " +" : " -";
  return `${all.accuracy.toFixed(2)}, ${all.macroF1.toFixed(2)}${sign}`;
}
