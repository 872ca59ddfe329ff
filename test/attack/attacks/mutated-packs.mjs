import { runProgram } from "../program.mjs";
import { PackCopy } from "../shared.mjs";
import { DECIDES } from "./hostile-packs.mjs";

const AT_ONCE = 10;
const FILES = ["manifest.json", "manifest.json.sha256", "tokenizer.json", "int8.onnx", "weights.bin"];

/** A pack with one bit changed. Sealed anew, no checksum can tell. */
async function mutatedPack(name, isSealed) {
  const pack = await PackCopy.make();
  const { length } = await pack.read(name);
  await pack.flipBit(name, Math.floor(Math.random() * length), Math.floor(Math.random() * 8));
  if (isSealed) await pack.seal().catch(() => {});
  return pack;
}

async function decided(seen, names, isSealed, expected) {
  const packs = await Promise.all(names.map((name) => mutatedPack(name, isSealed)));
  const { exit, stdout } = await runProgram(DECIDES, { args: packs.map(({ folder }) => `${folder}/`), limitMs: 120_000 });
  await Promise.all(packs.map((pack) => pack.remove()));
  const outcomes = stdout.trim().split("\n");
  for (const outcome of outcomes) {
    seen.count(outcome);
    seen.expect(expected.includes(outcome), `${isSealed ? "sealed anew" : "one bit changed"}: ${outcome}`);
  }
  seen.expect(exit === 0 && outcomes.length === names.length, `the program ended with ${exit} after ${outcomes.length} of ${names.length}`);
}

const some = (files) => Array.from({ length: AT_ONCE }, (_, i) => files[i % files.length]);

export const mutatedPacks = {
  name: "packs with one bit changed",
  promise: "`model_invalid`; where the pack was sealed anew, that or an answer",
  seconds: { short: 10, full: 60 },
  async run({ seen, isOver }) {
    do {
      await decided(seen, some(FILES), false, ["model_invalid"]);
      await decided(seen, some(["manifest.json", "tokenizer.json"]), true, ["model_invalid", "answer"]);
    } while (!isOver());
  },
};
