// All attacks that one server can stand, at once, for minutes, beside one honest key.
import { setTimeout as sleep } from "node:timers/promises";
import { shownMb, shownMs } from "../../bench/http/figures.mjs";
import { TOGETHER } from "./attacks.mjs";
import { chargesIn } from "./charges.mjs";
import { judge } from "./judge.mjs";
import { outcomeOf } from "./run-attack.mjs";
import { Seen } from "./seen.mjs";
import { startTarget } from "./target.mjs";

const PAUSE_MS = 1000;
const REST_MS = 15_000;
const MAX_GROWTH_BYTES = 30e6;
const GARBAGE_COLLECTIONS = 5;

const ALLOWS = { livezMs: 3000, growthMb: 512, honestShare: 0.99, honestP99Ms: 3000 };

/** @returns the outcome of each attack, and that of the whole */
export async function runTogether(minutes) {
  const target = await startTarget({ keys: ["honest", "attacker"], credits: {}, inside: "inside-collect-garbage.mjs" });
  const startBytes = await restingBytes(target);
  const endMs = performance.now() + minutes * 60_000;
  const isOver = () => performance.now() > endMs || target.hasEnded;
  const attacked = await Promise.all(TOGETHER.map((attack) => attackUntil(attack, target, isOver)));

  const whole = new Seen();
  await sleep(REST_MS);
  const endBytes = target.hasEnded ? Infinity : await restingBytes(target);
  const watched = await target.watched();
  const exit = await target.stop();
  for (const seen of attacked) {
    whole.tries += seen.tries;
    for (const [status, count] of Object.entries(seen.statuses)) whole.statuses[status] = (whole.statuses[status] ?? 0) + count;
  }
  judge(whole, target, watched, exit, ALLOWS);
  whole.note(`memory ${shownMb(endBytes - startBytes)} over the start when it rests`);
  whole.expect(endBytes - startBytes < MAX_GROWTH_BYTES, `memory is ${shownMb(endBytes - startBytes)} over the start`);
  await recount(whole, target, watched.honest);
  const all = {
    name: `all of these at once, for ${minutes} minutes`,
    promise: `99% for the honest key, p99 in ${shownMs(ALLOWS.honestP99Ms)}, memory +30 MB at the end, a clean stop, exact charges`,
  };
  return [...TOGETHER.map((attack, i) => outcomeOf(attack, attacked[i])), outcomeOf(all, whole)];
}

/** Makes an attack again and again. */
async function attackUntil(attack, target, isOver) {
  const seen = new Seen();
  while (!isOver()) {
    await attack.run({ seen, target, isOver, short: true }).catch(({ message }) => seen.fault(message));
    if (!isOver()) await sleep(PAUSE_MS);
  }
  return seen;
}

async function restingBytes(target) {
  for (let i = 0; i < GARBAGE_COLLECTIONS; i++) {
    target.signal("SIGUSR2");
    await sleep(200);
  }
  return target.residentBytes();
}

/** What the honest key was charged is what it saw. The attackers hang up on answers, so what they were charged may be more than they saw. */
async function recount(seen, target, honest) {
  const { charged, twice, isExact } = await chargesIn(target.ledgerFile);
  seen.expect(twice === 0, `${twice} requests are charged twice`);
  seen.expect(isExact, "the balances are not the sums of the entries");
  const difference = (charged.get("honest") ?? 0) - honest.nanocredits - target.warmUpNanocredits;
  seen.note(`charges of the honest key ${difference === 0 ? "equal its answers" : `differ by ${difference} nanocredits`}`);
  seen.expect(difference === 0, "the honest key was charged for other than its answers");
}
