// On an x86 processor without VNNI the fast int8 product saturates. Umpire must notice this and give the same answers there.
// Needs qemu-user (Debian: apt-get install qemu-user) to emulate such a processor; .ci/run installs it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

// Integer sums are the same everywhere, but the fp32 parts (attention, norms) round differently with other vector lengths. Saturation would change
// probabilities by far more than this.
const TOLERANCE = 1e-3;

const run = promisify(execFile);
const script = fileURLToPath(new URL("scores.mjs", import.meta.url));
const here = JSON.parse((await run(process.execPath, [script])).stdout);
const there = JSON.parse((await run("qemu-x86_64", ["-cpu", "Haswell", process.execPath, script])).stdout);

const probabilities = ({ answers }) => [answers.angry.noul, ...Object.values(answers.topic.probabilities)];
const differences = probabilities(here).map((p, i) => Math.abs(p - probabilities(there)[i]));
assert.equal(there.graph, "int8-wide", "the exact graph runs where the fast product saturates");
assert.ok(Math.max(...differences) < TOLERANCE, `probabilities differ by up to ${Math.max(...differences)}`);
console.log(
  `here ${here.graph}, on an emulated Haswell ${there.graph}: probabilities differ by at most ${Math.max(...differences).toExponential(1)}`,
);
