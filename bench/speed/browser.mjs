// The target in a page: wasm in Chromium with one thread, beside the peer's q8.
import { existsSync } from "node:fs";
import { chromiumPath } from "../../test/browser/support/chromium-options.mjs";
import { startSite } from "../browser/site.mjs";
import { warmOnWasm } from "../browser/warm.mjs";
import { prepared } from "../peer.mjs";
import { workloads } from "../workloads.mjs";
import { ratioOf } from "./figures.mjs";

const CONTENDERS = ["umpire", "peer q8"];

/** @param {number} turns @returns {Promise<object | undefined>} nothing without a Chromium or a peer */
export async function inBrowser(turns) {
  if (!prepared || !hasChromium()) return undefined;
  const [workload] = await workloads();
  const site = await startSite();
  try {
    const measured = await warmOnWasm(site, workload, 1, turns, CONTENDERS);
    const [umpire, peer] = CONTENDERS.map((name) => measured[name]);
    return {
      workload: workload.name,
      umpire: shown(umpire),
      "transformers.js q8": shown(peer),
      ratio: ratioOf(peer.turnsMs, umpire.turnsMs),
    };
  } finally {
    site.close();
  }
}

const shown = ({ medianMs, p95Ms, calls }) => ({ medianMs, p95Ms, calls });

function hasChromium() {
  try {
    return existsSync(chromiumPath());
  } catch {
    return false;
  }
}
