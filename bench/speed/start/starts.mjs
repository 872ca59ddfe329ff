// Starts of a process up to its first answer, ours and the peer's in turns, each in a new process.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { max, median } from "simple-statistics";
import { coldPeer } from "../../peer.mjs";
import { coldParts } from "./cold-parts.mjs";
import { estimateOf, ratioOf } from "../figures.mjs";
import { packArguments } from "../models.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function printed(script, options) {
  return JSON.parse((await promisify(execFile)(process.execPath, [here(script), ...options])).stdout);
}

/**
 * @param {import("../models.mjs").TimedModel} model
 * @param {number} times
 * @returns {Promise<object>} `partsMs`: of starts of their own, as to watch them takes time
 */
export async function starts(model, times) {
  const options = packArguments(model);
  const { folder, prepared } = model.peer;
  const peerOnce = async () => (prepared ? coldPeer(["--model", folder]) : undefined);
  const [own, peers, parts] = [[], [], []];
  // The first start of each also reads its files from the disk.
  for (let i = -1; i < times; i++) {
    const [cold, peer, watched] = [await printed("cold.mjs", options), await peerOnce(), (await coldParts(options)).parts];
    if (i < 0) continue;
    own.push(cold);
    parts.push(watched);
    if (peer) peers.push(peer);
  }
  const ages = (all) => all.map(({ uptimeMs }) => [uptimeMs]);
  const figures = (all) => ({ ms: estimateOf(ages(all).flat()), rssMb: max(all.map(({ rssBytes }) => rssBytes)) / 1e6 });
  const partsMs = Object.fromEntries(Object.keys(parts[0]).map((name) => [name, median(parts.map((one) => one[name]))]));
  return {
    umpire: figures(own),
    partsMs,
    ...(prepared && { peer: figures(peers), ratio: ratioOf(ages(own), ages(peers)) }),
  };
}
