// Who is timed. Each contender answers a request with the time that it took.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createDecider } from "umpire";
import { median } from "simple-statistics";
import { startPeer, startServed } from "../peer.mjs";
import { openFloor } from "./floor/floor.mjs";
import { shapeOf } from "./floor/graph.mjs";
import { variantOf } from "../workloads.mjs";
import { requestOf } from "./requests.mjs";
import { timed } from "./turns.mjs";

/** Pairs of text and label that a pair model is timed with in one call. Its runs are independent, so more of them take as much longer. */
const MOST_PAIRS = { few: 20, usual: 100 };
/** Longer texts it cannot read at all. Where its labels do not fit beside 512 tokens, it reads 512 and loses the labels. */
const MOST_TOKENS = 512;
const TRIED = 4;

/**
 * @typedef {import("./requests.mjs").Asked} Asked
 * @typedef {{ name: string, canRead: (asked: Asked) => boolean, ask: (asked: Asked, call: number) => Promise<{ ms: number, note?: string }>, close: () => unknown }} Contender
 */

/**
 * @param {import("./models.mjs").TimedModel} model
 * @param {{ tokens: { count: (text: string) => number }, isQuick: boolean, note: (text: string) => void }} setting `note`: is told how a contender was set
 * @returns {Promise<{ contenders: Contender[], info: object, manifest: object }>} the first is umpire as it is by default
 */
export async function openContenders({ options, pack, peer, few }, { tokens, isQuick, note }) {
  const int8 = await createDecider(options);
  const info = await int8.info();
  const { threads } = info;
  const manifest = JSON.parse(await readFile(new URL("manifest.json", pack), "utf8"));
  const own = [
    ours("umpire", int8),
    ...(few ? [] : [ours("umpire, 1 thread", await createDecider({ ...options, threads: 1 }))]),
    ours("umpire fp32", await createDecider({ ...options, precision: "fp32" })),
  ];
  const floor = await openFloor(shapeOf(manifest.network), manifest.limits, { precision: "int8", threads });
  const floors = [
    { name: "floor", canRead: () => true, ask: async (asked) => ({ ms: await floor.ask(countsOf(asked, tokens)) }), close: floor.close },
  ];
  const mostPairs = isQuick || few ? MOST_PAIRS.few : MOST_PAIRS.usual;
  const peers = peer.prepared ? await openPeers(peer.folder, { threads, mostPairs, note }) : [];
  const loops = peer.prepared && !few ? openLoops(peer.folder, { threads, mostPairs }) : [];
  return { contenders: [...own, ...peers, ...loops, ...floors], info, manifest };
}

function ours(name, decider) {
  return {
    name,
    canRead: () => true,
    ask: async (asked, call) => {
      // A state that no call has had before, so that nothing is answered from a cache.
      const request = requestOf(asked, call);
      return { ms: await timed(() => decider.decide(request)) };
    },
    close: () => decider.close(),
  };
}

async function openPeers(folder, { threads, mostPairs, note }) {
  return [
    pairModel("transformers.js fp32", await fasterPeer(folder, "fp32", threads, note), mostPairs),
    pairModel("transformers.js q8", await fasterPeer(folder, "q8", threads, note), mostPairs),
  ];
}

function openLoops(folder, { threads, mostPairs }) {
  const loop = fileURLToPath(new URL("pair-loop.mjs", import.meta.url));
  const started = (dtype) => startServed([loop, "--model", folder, "--dtype", dtype, "--threads", String(threads)]);
  return ["fp32", "q8"].map((dtype) => pairModel(`own loop ${dtype}`, started(dtype), mostPairs));
}

/** The peer with its own choice of threads or with as many as we take, whichever is faster here. */
async function fasterPeer(folder, dtype, threads, note) {
  const options = ["--model", folder, "--dtype", dtype];
  const tried = [[], ["--threads", String(threads)]].map((more) => ({ peer: startPeer([...options, ...more]), times: [] }));
  const request = { text: "The parcel came late and the box was open. ".repeat(12), labels: ["billing", "delivery", "praise", "other"] };
  for (let turn = 0; turn <= TRIED; turn++) {
    for (const { peer, times } of tried) {
      const { ms } = await peer.ask(request);
      if (turn > 0) times.push(ms);
    }
  }
  const [byDefault, asOurs] = tried.map(({ times }) => median(times));
  const isOurs = asOurs < byDefault;
  tried[isOurs ? 0 : 1].peer.stop();
  note(
    `transformers.js ${dtype} takes ${isOurs ? `${threads} threads, as umpire does` : "its own number of threads"}, which is faster here`,
  );
  return tried[isOurs ? 1 : 0].peer;
}

/** It answers one question after the other. */
function pairModel(name, program, mostPairs) {
  return {
    name,
    canRead: ({ size }) => size.tokens <= MOST_TOKENS,
    ask: async (asked, call) => {
      const { parts, scale } = timedPart(asked.questions, mostPairs);
      let ms = 0;
      let toldApart = true;
      for (const labels of parts) {
        const answer = await program.ask({ text: variantOf(asked.text, call), labels });
        ms += answer.ms;
        toldApart &&= answer.labelsToldApart !== false;
      }
      return {
        ms: ms * scale,
        ...(toldApart ? {} : { note: "it cuts its input at 512 tokens and with it the labels: all get the same probability" }),
      };
    },
    close: () => program.stop(),
  };
}

/**
 * As many questions as fit into `mostPairs`, or a part of the only one.
 * @param {readonly { labels: readonly string[] }[]} questions
 * @param {number} mostPairs
 * @returns {{ parts: string[][], scale: number }} the labels to time, and how many times as many pairs there are in all
 */
export function timedPart(questions, mostPairs) {
  const [{ labels }] = questions;
  if (labels.length > mostPairs) return { parts: [labels.slice(0, mostPairs)], scale: (questions.length * labels.length) / mostPairs };
  const parts = questions.slice(0, Math.floor(mostPairs / labels.length)).map((question) => question.labels);
  return { parts, scale: questions.length / parts.length };
}

/** How many tokens of a request the floor reads. @param {Asked} asked @returns {import("./floor/runs.mjs").Counts} */
export function countsOf({ size, questions }, { count }) {
  return {
    state: size.tokens,
    questions: questions.map(({ instructions, labels }) => ({
      instructions: count(instructions),
      options: labels.map((label) => count(label)),
    })),
  };
}
