// All attacks that one server can stand, at once, beside one honest key.
import { setTimeout as sleep } from "node:timers/promises";
import { shownMb } from "../../bench/http/figures.mjs";
import { chargesIn } from "./charges.mjs";
import { judge } from "./judge.mjs";
import { outcomeOf } from "./run-attack.mjs";
import { Seen } from "./seen.mjs";
import { startTarget } from "./start-target.mjs";

const PAUSE_MS = 1000;
const WARM_UP_SECONDS = 30;
const REST_MS = 15_000;
const MAX_GROWTH_BYTES = 30e6;
const GARBAGE_COLLECTIONS = 5;

/** The key of those that keep the model busy. Otherwise the others would mostly be refused for it. */
const HEAVY = "heavy";

const ALLOWS = { livezMs: 3000, growthMb: 768, honestShare: 0.99, honestP99Ms: 3000 };

/**
 * The long form also compares the server's memory at rest: after half a minute of all attacks, and at the end.
 * @param {import("./run-attack.mjs").Attack[]} attacks
 * @returns the outcome of each attack, and that of the whole
 */
export async function runTogether(attacks, { seconds, short }) {
  const target = await startTarget({ keys: ["honest", "attacker", HEAVY], credits: {}, inside: "inside-collect-garbage.mjs" });
  const seen = attacks.map(() => new Seen());
  const attackFor = (time) => {
    const endMs = performance.now() + time * 1000;
    const isOver = () => performance.now() > endMs || target.hasEnded;
    return Promise.all(
      attacks.map((attack, i) =>
        attackUntil(attack, { seen: seen[i], target: attack.isHeavy ? target.withKey(HEAVY) : target, isOver, short: true }),
      ),
    );
  };
  if (!short) await attackFor(WARM_UP_SECONDS);
  const startBytes = short ? undefined : await restingBytes(target);
  await attackFor(seconds);
  const endBytes = short ? undefined : await restingBytes(target);

  const whole = new Seen();
  for (const one of seen) whole.add(one);
  if (target.hasEnded) for (const one of seen) one.fault("the server ended");
  const watched = await target.watched();
  judge(whole, target, watched, await target.stop(), ALLOWS);
  if (!short) {
    whole.note(`memory at rest ${shownMb(endBytes - startBytes)} over that after the first half minute`);
    whole.expect(endBytes - startBytes < MAX_GROWTH_BYTES, `memory at rest grew by ${shownMb(endBytes - startBytes)}`);
  }
  await recount(whole, target, watched.honest);
  const name = `all of the above at once, for ${seconds} s`;
  const promise = "99% for the honest key, its p99 and `/livez` in 3 s, memory at rest +30 MB at most, exact charges, a clean stop";
  const each = attacks.map((attack, i) => outcomeOf({ name: attack.name, promise: "the same replies as alone" }, seen[i]));
  return [...each, outcomeOf({ name, promise }, whole)];
}

/** Makes an attack again and again. */
async function attackUntil(attack, tools) {
  while (!tools.isOver()) {
    await attack.run(tools).catch(({ message }) => tools.seen.fault(message));
    if (!tools.isOver()) await sleep(PAUSE_MS);
  }
}

/** Memory that is left after a pause and the collection of garbage; NaN if the server has ended. */
async function restingBytes(target) {
  await sleep(REST_MS);
  for (let i = 0; i < GARBAGE_COLLECTIONS && !target.hasEnded; i++) {
    target.signal("SIGUSR2");
    await sleep(200);
  }
  return target.hasEnded ? NaN : target.residentBytes();
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
