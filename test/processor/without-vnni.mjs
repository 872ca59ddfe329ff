// On an x86 processor without VNNI the fast int8 product saturates: umpire must notice, and answer there exactly as it does here.
// Needs qemu-user (Debian: apt-get install qemu-user), which plays such a processor; .ci/run installs it.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import assert from "node:assert/strict";

const run = promisify(execFile);
const script = fileURLToPath(new URL("scores.mjs", import.meta.url));

const here = JSON.parse((await run(process.execPath, [script])).stdout);
const there = JSON.parse((await run("qemu-x86_64", ["-cpu", "Haswell", process.execPath, script])).stdout);
assert.equal(there.graph, "int8-wide", "the exact graph runs where the fast product saturates");
assert.deepEqual(there.answers, here.answers, "both processors give the same answer, bit for bit");
console.log(`here ${here.graph}, on an emulated Haswell ${there.graph}: the same answers`);
