import { execFileSync } from "node:child_process";
import { rm, symlink, truncate, writeFile } from "node:fs/promises";
import { shownMb } from "../../../bench/http/figures.mjs";
import { runProgram } from "../program.mjs";
import { PackCopy } from "../shared.mjs";

const LARGEST_BYTES = 700e6;
const LOADING_MS = 60_000;

/** Decides with each of the packs in turn, closes the decider, and prints what came of it. */
export const DECIDES = `
  import { createDecider } from "umpire";
  for (const model of process.argv.slice(1).filter((arg) => arg !== "--")) {
    const decider = createDecider({ model });
    const outcome = await decider.decide({ state: "The parcel came late, and nobody knows why it was not sent before.", questions: { q: { type: "noul", instructions: "?" } } }).then(() => "answer", (error) => error.code);
    await decider.close();
    console.log(outcome);
  }`;

const replaced = async (pack, name, make) => {
  await rm(pack.path(name));
  await make(pack.path(name));
};
const file = "weights.bin";
const tokenizer = "tokenizer.json";

const PACKS = {
  "a link to /dev/zero": (pack) => replaced(pack, file, (path) => symlink("/dev/zero", path)),
  "a manifest that is /dev/zero": (pack) => replaced(pack, "manifest.json", (path) => symlink("/dev/zero", path)),
  "a FIFO": (pack) => replaced(pack, file, (path) => execFileSync("mkfifo", [path])),
  "a seal that is a FIFO": (pack) => replaced(pack, "manifest.json.sha256", (path) => execFileSync("mkfifo", [path])),
  "a sparse file of 2.5 GB": (pack) => sparse(pack, file),
  "a sparse manifest of 2.5 GB": (pack) => sparse(pack, "manifest.json"),
  "a sparse file that the manifest names": async (pack) => {
    await sparse(pack, file);
    await pack.lie((manifest) => (manifest.files[file].sizeBytes = 2.5e9));
    await pack.sealManifest();
  },
  "a folder for a file": (pack) => replaced(pack, file, (path) => execFileSync("mkdir", [path])),
  "a tokenizer of 200 MB": async (pack) => {
    await pack.write(tokenizer, " ".repeat(200e6));
    await pack.seal();
  },
  // It looks at a text of n characters 2^n times.
  "a tokenizer with a pattern that never ends": (pack) =>
    withTokenizer(pack, ({ normalizer }) =>
      normalizer.normalizers.unshift({ type: "Replace", pattern: { Regex: "^(.|.)*\\ue000" }, content: "" }),
    ),
  // The time for a word grows with the cube of its length.
  "a tokenizer that makes one endless word": (pack) =>
    withTokenizer(pack, ({ model, normalizer }) => {
      model.max_input_chars_per_word = 1e9;
      normalizer.normalizers.push({ type: "Replace", pattern: { String: "e" }, content: "\ue000".repeat(100_000) });
    }),
  "a tokenizer that doubles a text forty times": (pack) =>
    withTokenizer(pack, ({ normalizer }) => {
      for (let i = 0; i < 40; i++) normalizer.normalizers.push({ type: "Replace", pattern: { String: "e" }, content: "ee" });
    }),
};

async function withTokenizer(pack, change) {
  const content = JSON.parse(Buffer.from(await pack.read(tokenizer)).toString());
  change(content);
  await pack.write(tokenizer, JSON.stringify(content));
  await pack.seal();
}

const sparse = (pack, name) =>
  replaced(pack, name, async (path) => {
    await writeFile(path, "");
    await truncate(path, 2.5e9);
  });

async function refused(seen, name, prepare) {
  const pack = await PackCopy.make();
  await prepare(pack);
  const { exit, stdout, peakBytes } = await runProgram(DECIDES, { args: [`${pack.folder}/`], limitMs: LOADING_MS });
  await pack.remove();
  const outcome = stdout.trim() || exit;
  seen.count(outcome);
  seen.expect(outcome === "model_invalid", `${name}: ${outcome}`);
  seen.expect(exit === 0, `${name}: the program ended with ${exit}`);
  seen.expect(peakBytes < LARGEST_BYTES, `${name}: ${shownMb(peakBytes)} of memory`);
}

export const hostilePacks = {
  name: "packs with devices, pipes, files without end and endless tokenizers",
  promise: "`model_invalid`, `close()` settles, memory within 700 MB",
  seconds: { short: 60, full: 600 },
  async run({ seen, isOver }) {
    for (const [name, prepare] of Object.entries(PACKS))
      if (isOver()) seen.fault(`${name}: no time was left for it`);
      else await refused(seen, name, prepare);
  },
};
