// Gathers the page's own files in one folder: scripts, styles, and golden requests to check a device with. build.mjs writes
// them to dist/playground/. The library's files are not among them; `umpire playground` serves or gathers both.
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL(".", import.meta.url));
const GOLDEN_VECTORS = new URL("../../test/golden/umpire-2.json", import.meta.url);
/** The page's own files. Scripts for Node end in .mjs and are left out. */
const PAGE_FILES = new Set([".html", ".css", ".js", ".svg"]);
/** Golden vectors that check-device.js asks: all types, and one word. Few and short, since a slow device takes seconds for each. */
const CHECKED = ["parcel left with a neighbour", "one word", "irony"];
/** A state of two windows. Its first question is enough. */
const LONG = "a state of 383 tokens";
/** The one whose answer is timed: a choice of ten options. */
const TIMED = "ten options";

/** @param {string} folder */
export async function assemble(folder) {
  await mkdir(folder, { recursive: true });
  await cp(PAGE, folder, { recursive: true, filter: (path) => extname(path) === "" || PAGE_FILES.has(extname(path)) });
  await writeFile(join(folder, "golden.json"), JSON.stringify(await readGoldens()));
}

/** @returns {Promise<import("./check-device.js").Goldens>} */
async function readGoldens() {
  const { madeWith, cases } = JSON.parse(await readFile(GOLDEN_VECTORS, "utf8"));
  const named = (name) => {
    const found = cases.find((goldenCase) => goldenCase.name === name);
    if (found === undefined) throw new Error(`There are no golden vectors "${name}" in ${GOLDEN_VECTORS.pathname}.`);
    const answers = Object.entries(found.answers).map(([id, { probabilities }]) => [id, { probabilities }]);
    return { name, request: found.request, answers: Object.fromEntries(answers) };
  };
  const long = named(LONG);
  const [first] = Object.keys(long.answers);
  const short = {
    ...long,
    request: { ...long.request, questions: { [first]: long.request.questions[first] } },
    answers: { [first]: long.answers[first] },
  };
  return { model: madeWith.pack, cases: [...CHECKED, TIMED].map(named).concat(short), timed: named(TIMED).request };
}
