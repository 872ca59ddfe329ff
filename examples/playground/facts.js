// @ts-check
// Shows what the answers cost and what produced them.
import { byId, make } from "./dom.js";
import { megabytes } from "./loading.js";
import { shownMs } from "./models.js";

/** @param {import("./session.js").Outcome} outcome */
export function showFacts({ response, info, callMs, loadMs }) {
  const { input_tokens: tokensIn, output_tokens: tokensOut } = response.usage;
  const { device, precision, threads, download } = info;
  const engine = [deviceName(device), precision, device === "wasm" && `${threads} ${threads === 1 ? "thread" : "threads"}`];
  /** @type {[string, string][]} */
  const main = [
    ["Time", shownMs(callMs)],
    ["Tokens", `${tokensIn.toLocaleString("en")} in, ${tokensOut.toLocaleString("en")} out`],
    ["Device", engine.filter(Boolean).join(", ")],
    ["Model", response.model],
  ];
  /** @type {[string, string][]} */
  const more = [["Why this device", sentence(info.deviceReason)]];
  if (loadMs !== undefined) more.push(["Loading", `${(loadMs / 1000).toFixed(1)} s before the first answer, not in the time above.`]);
  if (download !== undefined) {
    const { fetchedBytes, cachedBytes, cacheFailure } = download;
    const kept = cacheFailure === undefined ? "" : ` Nothing was kept for the next visit: ${cacheFailure}`;
    more.push([
      "Files",
      `${megabytes(fetchedBytes)} MB fetched from this site, ${megabytes(cachedBytes)} MB kept from an earlier visit.${kept}`,
    ]);
  }
  if (device === "wasm" && !crossOriginIsolated) {
    more.push(["Threads", "One, because this site does not send the headers that threads need (COOP and COEP)."]);
  }
  byId("facts").replaceChildren(...main.map(pair));
  byId("more-facts-list").replaceChildren(...more.map(pair));
  byId("outcome").hidden = false;
}

/** @param {[string, string]} pair */
function pair([term, text]) {
  return make("div", {}, make("dt", { text: term }), make("dd", { text }));
}

/** @param {string} device */
export function deviceName(device) {
  return device === "webgpu" ? "WebGPU" : "WebAssembly";
}

/** @param {string} text */
export function sentence(text) {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
