// node bench/speed/profile.mjs [options] [tokens] [questions]: where the time of a request goes, by kind of operator, from onnxruntime's own profile.
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { createDecider } from "umpire";
import { median, sum } from "simple-statistics";
import { openTokens } from "../workloads.mjs";
import { askedOf, nameOf, requestOf } from "./requests.mjs";
import { timed } from "./turns.mjs";

const WARM_UP_CALLS = 10;
const CALLS = 60;
/** Their time is that of the operators in them, which are listed, too. */
const HOLDERS = ["If", "Loop"];
/** Kinds that take less than this share of the time are added up. */
const SMALL = 0.02;

const [options = 10, tokens = 144, questions = 1] = process.argv.slice(2).map(Number);
const size = { options, tokens, questions };
const asked = askedOf(size, await openTokens());

console.log(`${nameOf(size)}, int8: milliseconds of a request, medians of ${CALLS} calls\n`);
const threadCounts = [...new Set([1, availableParallelism()])];
const profiles = [];
for (const threads of threadCounts) profiles.push({ ...(await profileOf(threads)), plainMs: await plainMsOf(threads) });
print();

/** @param {number} threads @returns {Promise<number>} ms of decide() without a profile */
async function plainMsOf(threads) {
  const decider = await createDecider({ threads, inline: true, cacheBytes: 0 });
  await msOfCalls(decider, WARM_UP_CALLS);
  const times = await msOfCalls(decider, CALLS);
  await decider.close();
  return median(times);
}

/** @param {number} threads @returns {Promise<{ kinds: Map<string, { ms: number, operators: number }>, runsMs: number }>} */
async function profileOf(threads) {
  // With the arena, as the profile's own memory lies between the operators' and would have each of theirs fetched from the system anew.
  const folder = await mkdtemp(join(tmpdir(), "umpire-profile-"));
  let session;
  const { create } = InferenceSession;
  InferenceSession.create = async (graph, given) => {
    const profiled = { enableProfiling: true, profileFilePrefix: join(folder, "run"), enableCpuMemArena: true };
    session = await create.call(InferenceSession, graph, { ...given, ...profiled });
    return session;
  };
  try {
    const decider = await createDecider({ threads, inline: true, cacheBytes: 0 });
    await msOfCalls(decider, WARM_UP_CALLS);
    await msOfCalls(decider, CALLS);
    // The last one answers. What was made before it only tried the processor's arithmetic.
    session.endProfiling();
    await decider.close();
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
    const [longest] = files.sort((a, b) => b.length - a.length);
    return kindsOf(JSON.parse(longest));
  } finally {
    InferenceSession.create = create;
    await rm(folder, { recursive: true });
  }
}

async function msOfCalls(decider, calls) {
  const times = [];
  for (let call = 0; call < calls; call++) times.push(await timed(() => decider.decide(requestOf(asked, call))));
  return times;
}

/** Adds up the operators of each of the last calls, by kind. */
function kindsOf(events) {
  const inOrder = [...events].sort((a, b) => a.ts - b.ts);
  const runs = inOrder.filter(({ name }) => name === "model_run");
  const operators = inOrder.filter(
    ({ cat, name, args }) => cat === "Node" && name.endsWith("_kernel_time") && !HOLDERS.includes(args.op_name),
  );
  const runsOfCall = Math.floor(runs.length / (WARM_UP_CALLS + CALLS));
  const measured = runs.slice(-runsOfCall * CALLS);
  const kinds = new Map();
  let next = 0;
  measured.forEach(({ ts, dur }, i) => {
    while (operators[next].ts < ts) next++;
    for (; next < operators.length && operators[next].ts < ts + dur; next++) {
      const kind = operators[next].args.op_name;
      if (!kinds.has(kind))
        kinds.set(
          kind,
          Array.from({ length: CALLS }, () => ({ us: 0, operators: 0 })),
        );
      const ofCall = kinds.get(kind)[Math.floor(i / runsOfCall)];
      ofCall.us += operators[next].dur;
      ofCall.operators++;
    }
  });
  const runUs = Array.from({ length: CALLS }, (_, i) => sum(measured.slice(i * runsOfCall, (i + 1) * runsOfCall).map(({ dur }) => dur)));
  return {
    kinds: new Map(
      [...kinds].map(([kind, all]) => [
        kind,
        { ms: median(all.map(({ us }) => us)) / 1000, operators: median(all.map((one) => one.operators)) },
      ]),
    ),
    runsMs: median(runUs) / 1000,
  };
}

function print() {
  const [{ kinds }] = profiles;
  const msOf = (kind) => profiles.map((profile) => profile.kinds.get(kind)?.ms ?? 0);
  const all = threadCounts.map((_, i) => sum([...profiles[i].kinds.values()].map(({ ms }) => ms)));
  const large = [...kinds.keys()].filter((kind) => msOf(kind)[0] >= SMALL * all[0]).sort((a, b) => msOf(b)[0] - msOf(a)[0]);
  const small = [...kinds.keys()].filter((kind) => !large.includes(kind));
  const row = (name, operators, times) => `| ${name} | ${operators} | ${times.map((ms) => ms.toFixed(2)).join(" | ")} |`;
  const operatorsOf = (names) => sum(names.map((kind) => kinds.get(kind).operators));
  console.log(
    `| operators | how many | ${threadCounts.map((threads) => (threads === 1 ? "1 thread" : `${threads} threads`)).join(" | ")} |`,
  );
  console.log(`|---|---|${threadCounts.map(() => "---|").join("")}`);
  for (const kind of large) console.log(row(kind, kinds.get(kind).operators, msOf(kind)));
  console.log(
    row(
      `${small.length} others`,
      operatorsOf(small),
      threadCounts.map((_, i) => sum(small.map((kind) => msOf(kind)[i]))),
    ),
  );
  console.log(row("all operators", operatorsOf([...kinds.keys()]), all));
  console.log(
    row(
      "the runs, with what lies between operators",
      "",
      profiles.map(({ runsMs }) => runsMs),
    ),
  );
  console.log(
    row(
      "decide() without a profile",
      "",
      profiles.map(({ plainMs }) => plainMs),
    ),
  );
}
