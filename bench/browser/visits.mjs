// Measures first and second visits: when the first answer is there and what was fetched. A first visit uses a new browser profile. The second
// uses the same profile in a new browser process.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "simple-statistics";
import { launchWithProfile } from "./chromium.mjs";
import { visit, visitors } from "./contenders.mjs";
import { groupOf } from "./files.mjs";

/** A browser is busy with itself just after its start. */
const SETTLE_MS = 1000;

/** @returns {Promise<Record<string, { first: object, second: object }>>} medians by visitor */
export async function visits(site, times) {
  const kept = Object.fromEntries(Object.keys(visitors).map((name) => [name, { first: [], second: [] }]));
  for (let i = 0; i < times; i++) {
    for (const [name, contender] of Object.entries(visitors)) {
      const profile = await mkdtemp(join(tmpdir(), "umpire-bench-"));
      try {
        kept[name].first.push(await oneVisit(site, contender, profile));
        kept[name].second.push(await oneVisit(site, contender, profile));
      } finally {
        await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      }
    }
  }
  return Object.fromEntries(
    Object.entries(kept).map(([name, { first, second }]) => [name, { first: medians(first), second: medians(second) }]),
  );
}

async function oneVisit(site, contender, profile) {
  const browser = await launchWithProfile(profile);
  try {
    await sleep(SETTLE_MS);
    site.sent();
    const { first } = await visit(browser, site, contender);
    const sent = site.sent();
    const bytes = {};
    for (const { path, bytes: size } of sent) bytes[groupOf(path)] = (bytes[groupOf(path)] ?? 0) + size;
    return { at: first.at, bytes, paths: sent.filter(({ bytes: size }) => size > 0).map(({ path }) => path) };
  } finally {
    await browser.close();
  }
}

/** Medians of all ages and of each group's bytes. The medians of the stages need not add up to the median of the total. */
function medians(all) {
  const of = (pick) => Object.fromEntries(Object.keys(pick(all[0])).map((key) => [key, median(all.map((one) => pick(one)[key] ?? 0))]));
  return { at: of(({ at }) => at), bytes: of(({ bytes }) => bytes), paths: all[0].paths };
}
