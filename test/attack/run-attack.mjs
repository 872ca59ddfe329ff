import { setTimeout as sleep } from "node:timers/promises";
import { judge } from "./judge.mjs";
import { Seen } from "./seen.mjs";
import { startTarget } from "./start-target.mjs";

/** Beyond the time that an attack is given: for starting, and for the last requests. */
const GRACE_MS = 60_000;

/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} promise what must hold, in a few words
 * @property {import("./start-target.mjs").Needs} [needs] the server that it is made on; without it, the attack starts what it needs
 * @property {Partial<import("./judge.mjs").Allows>} [allows] where it differs from what must usually hold
 * @property {boolean} [isHeavy] whether it keeps the model busy
 * @property {{ short?: number, full: number }} seconds how long it takes; without `short`, it is no part of the short form
 * @property {(tools: Tools) => Promise<void>} run
 *
 * @typedef {object} Tools
 * @property {Seen} seen counts what is tried, and notes what is wrong
 * @property {import("./target.mjs").Target} target the server, if the attack needs one
 * @property {() => boolean} isOver whether the attack's time is over, or the server is
 * @property {boolean} short
 * @property {(needs: object, allows?: object) => Promise<object>} start starts another server, which is judged, too
 */

/** Makes an attack. @param {Attack} attack @returns what was seen */
export async function runAttack(attack, { short }) {
  const seen = new Seen();
  const started = [];
  const start = async (needs, allows) => {
    const target = await startTarget(needs);
    started.push({ target, allows });
    return target;
  };
  const seconds = short ? attack.seconds.short : attack.seconds.full;
  try {
    const target = attack.needs && (await start(attack.needs, attack.allows));
    const endMs = performance.now() + seconds * 1000;
    const isOver = () => performance.now() > endMs || target?.hasEnded;
    const late = sleep(seconds * 1000 + GRACE_MS, "late", { ref: false });
    if ((await Promise.race([attack.run({ seen, target, start, isOver, short }), late])) === "late") seen.fault("it did not end in time");
    seen.expect(!seen.isUnread, "each try was refused unread");
  } catch (error) {
    seen.fault(error.message);
  }
  for (const { target, allows } of started) {
    const watched = await target.watched();
    judge(seen, target, watched, await target.stop(), allows);
  }
  return outcomeOf(attack, seen);
}

export function outcomeOf({ name, promise }, { tries, statuses, notes, faults }) {
  return { name, promise, tries, statuses, notes, faults: Object.fromEntries(faults), holds: faults.size === 0 && tries > 0 };
}
