// npm run bench:languages [-- --tuning] [-- --show]: how often a text in another language has the warning unread_text, and how often an English one has.
// bench/languages/README.md says which texts these are.
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { columns } from "./accuracy/library.mjs";
import { sectionsOf } from "./languages/sections.mjs";
import { readers } from "./languages/warns.mjs";

/** Of each language's sentences, so many at the beginning may be tuned on. */
const TUNING = 8;
const ROWS_A_SET = 1000;

const placeOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({
  options: {
    tuning: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
    data: { type: "string", default: placeOf("../../shared/data") },
  },
});

const own = async (file) => sectionsOf(await readFile(placeOf(`languages/${file}`), "utf8"));
const foreign = Object.entries(await own("foreign.txt")).map(([name, texts]) => ({
  name,
  texts: values.tuning ? texts.slice(0, TUNING) : texts.slice(TUNING),
}));
const written = Object.values(await own(values.tuning ? "english.txt" : "english-held-back.txt")).flat();
const english = [{ name: "written for this", texts: written }, ...(await setsIn(values.data, values.tuning ? "train" : "eval"))];
const models = await readers();

print("found of", foreign, (warns) => (text) => warns(text));
console.log();
print("wrong alarms", english, (warns) => (text) => warns(text));
console.log(`\n"words": by the text alone, as for a model of any family. The others: by the tokenizer of that model, too.`);
if (values.show) {
  for (const { name, texts } of foreign)
    for (const text of texts.filter((one) => !models[0].warns(one))) console.log(`missed, ${name}: ${text}`);
  for (const { name, texts } of english)
    for (const text of texts.filter((one) => models.some(({ warns }) => warns(one)))) {
      const who = models.filter(({ warns }) => warns(text)).map((model) => model.name);
      console.log(`wrong alarm, ${name} (${who.join(", ")}): ${JSON.stringify(text.slice(0, 200))}`);
    }
}

function print(title, groups, of) {
  const counts = groups.map(({ texts }) => models.map(({ warns }) => texts.filter(of(warns)).length));
  const all = groups.reduce((sum, { texts }) => sum + texts.length, 0);
  const sums = models.map((_, m) => counts.reduce((sum, row) => sum + row[m], 0));
  const rows = groups.map(({ name, texts }, i) => [name, String(texts.length), ...counts[i].map(String)]);
  const share = (count) => `${count} (${((100 * count) / all).toFixed(2)}%)`;
  console.log(columns([[title, "texts", ...models.map(({ name }) => name)], ...rows, ["all", String(all), ...sums.map(share)]]));
}

/** The texts of the data folder, where there is one. */
async function setsIn(data, side) {
  if (!existsSync(data)) {
    console.error(`There is no folder ${data}, so English texts are those of bench/languages alone. --data names another.`);
    return [];
  }
  const files = [];
  for (const kind of ["cls", "decisions"])
    for (const file of (await readdir(join(data, kind, side))).sort())
      if (/\.jsonl\.gz$/.test(file)) files.push(join(data, kind, side, file));
  const sets = await Promise.all(
    files.map(async (file) => {
      const rows = gunzipSync(await readFile(file))
        .toString()
        .trim()
        .split("\n")
        .map(JSON.parse);
      const texts = rows.map(({ text, state }) => text ?? state).filter((text) => typeof text === "string");
      const step = Math.max(1, texts.length / ROWS_A_SET);
      return {
        name: basename(file, ".jsonl.gz"),
        texts: Array.from({ length: Math.min(ROWS_A_SET, texts.length) }, (_, i) => texts[Math.floor(i * step)]),
      };
    }),
  );
  return sets.filter(({ texts }) => texts.length > 0);
}
