// What must hold for the server during every attack, unless the attack says otherwise.
import { shownMb, shownMs } from "../../bench/http/figures.mjs";

/**
 * @typedef {object} Allows
 * @property {number} livezMs longest time that /livez may take
 * @property {number} growthMb how much more memory the server may take than before
 * @property {number} honestShare share of the honest key's requests that must be answered
 * @property {number} honestP99Ms 99th percentile of its answers
 * @property {number[]} statuses statuses of 5xx that may be logged
 */
const USUALLY = { livezMs: 1000, growthMb: 256, honestShare: 1, honestP99Ms: 2000, statuses: [] };

/** Adds to what an attack saw what was seen of the server. @param {Partial<Allows>} allows */
export function judge(seen, target, watched, exit, allows = {}) {
  const all = { ...USUALLY, ...allows };
  if (watched !== undefined) judgeWatched(seen, watched, all);
  for (const [status, count] of Object.entries(target.logged))
    if (status >= 500 && status !== "529" && !all.statuses.includes(Number(status))) seen.fault(`${count} log lines with status ${status}`);
  seen.expect(target.leaks === 0, `${target.leaks} log lines hold a text or a secret`);
  seen.expect(target.errors === "", `it wrote to standard error: ${target.errors.slice(0, 100).trim()}`);
  seen.expect(exit === 0, `the server, told to stop: ${exit}`);
}

function judgeWatched(seen, { livez, honest, memory }, { livezMs, growthMb, honestShare, honestP99Ms }) {
  const growthBytes = memory.peakBytes - memory.startBytes;
  seen.note(`/livez ${shownMs(livez.worstMs)} at most, memory +${shownMb(growthBytes)}`);
  seen.expect(livez.worstMs < livezMs, `/livez took ${shownMs(livez.worstMs)}`);
  seen.expect(livez.failures === 0, `/livez failed ${livez.failures} of ${livez.count} times`);
  if (memory.isTooMuch) seen.fault("the server was ended because it took more than 1.2 GB");
  else seen.expect(growthBytes < growthMb * 1e6, `memory grew by ${shownMb(growthBytes)}`);
  if (honest.sent > 0) {
    const share = honest.answered / honest.sent;
    seen.note(`honest key ${(100 * share).toFixed(share < 1 ? 1 : 0)}% of ${honest.sent}, p99 ${shownMs(honest.p99Ms)}`);
    seen.expect(share >= honestShare, `the honest key got ${JSON.stringify(honest.statuses)}`);
    if (honest.answered > 0) seen.expect(honest.p99Ms < honestP99Ms, `the honest key waited ${shownMs(honest.p99Ms)} at p99`);
    seen.expect(honest.wrong === 0, `the honest key got ${honest.wrong} other answers`);
  }
}
