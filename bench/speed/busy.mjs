// node bench/speed/busy.mjs [turns]: what an answer takes while other programs keep the processors busy.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { createDecider } from "umpire";
import { quantile } from "simple-statistics";
import { prepared, startPeer } from "../peer.mjs";
import { openTokens, variantOf } from "../workloads.mjs";
import { askedOf, requestOf } from "./requests.mjs";
import { inTurns, timed } from "./turns.mjs";

const turns = Number(process.argv[2] ?? 20);
const CALLS_A_TURN = 4;
const MINUTE_MS = 60_000;
const SETTLE_MS = 500;

const asked = askedOf({ options: 10, tokens: 144, questions: 1 }, await openTokens());
const [byDefault, oneThread] = [await createDecider(), await createDecider({ threads: 1 })];
const peer = prepared ? startPeer(["--dtype", "fp32"]) : undefined;
const ours = (name, decider) => ({ name, ask: (call) => timed(() => decider.decide(requestOf(asked, call))) });
const contenders = [
  ours("umpire", byDefault),
  ours("umpire, 1 thread", oneThread),
  ...(peer
    ? [
        {
          name: "transformers.js fp32",
          ask: async (call) => (await peer.ask({ text: variantOf(asked.text, call), labels: asked.questions[0].labels })).ms,
        },
      ]
    : []),
];

/** Programs that do nothing but work. */
function keepBusy(programs) {
  const children = Array.from({ length: programs }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  return () => children.forEach((child) => child.kill("SIGKILL"));
}

console.log(`${asked.name}, ${availableParallelism()} processors: milliseconds of an answer, median and 95th percentile\n`);
console.log(`| other programs that work | ${contenders.map(({ name }) => name).join(" | ")} |`);
console.log(`|---|${contenders.map(() => "---|").join("")}`);
for (let programs = 0; programs <= availableParallelism(); programs++) {
  const stop = keepBusy(programs);
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const times = await inTurns(contenders, { turns, callsATurn: CALLS_A_TURN, limitMs: MINUTE_MS });
    const cells = contenders.map(({ name }) => {
      const all = times.get(name).warm.flat();
      return `${quantile(all, 0.5).toFixed(1)}, ${quantile(all, 0.95).toFixed(1)}`;
    });
    console.log(`| ${programs} | ${cells.join(" | ")} |`);
  } finally {
    stop();
  }
}
await byDefault.close();
await oneThread.close();
peer?.stop();
