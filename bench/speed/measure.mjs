// One run: measures part after part and returns what the papers and tables show.
import { environmentOf } from "../environment.mjs";
import { openTokens } from "../workloads.mjs";
import { inBrowser } from "./browser.mjs";
import { callersInFlight } from "./callers.mjs";
import { openContenders } from "./contenders.mjs";
import { shapeOf } from "./floor/graph.mjs";
import { TARGET_SIZES, basePlanOf, planOf } from "./grid.mjs";
import { measureCell } from "./measure-grid.mjs";
import { BASE, QUICK, hasBase } from "./models.mjs";
import { peakOf } from "./floor/peak.mjs";
import { askedOf } from "./requests.mjs";
import { secondQuestion } from "./second-question.mjs";
import { starts } from "./start/starts.mjs";

/** What can be left out. The grid always finds out the peak first. */
export const PARTS = ["starts", "grid", "reading", "callers", "browser", "base"];

const REPEATS = {
  quick: { starts: 5, reading: 5, callers: { rounds: 1, seconds: 1.5 }, browser: 3 },
  usual: { starts: 15, reading: 12, callers: { rounds: 4, seconds: 3 }, browser: 8 },
};

/**
 * @param {{ extent: "quick" | "usual" | "full", parts: readonly string[], tell: (text: string) => void }} options `tell`: is told what is measured now
 * @returns {Promise<object>} results; a part that was left out, or cannot be measured here, is absent
 */
export async function measure({ extent, parts, tell }) {
  const wants = (part) => parts.includes(part);
  const repeats = REPEATS[extent === "quick" ? "quick" : "usual"];
  const tokens = await openTokens();
  const ask = (size) => askedOf(size, tokens);
  const results = { date: new Date().toISOString().slice(0, 10), extent };
  const begin = (part, text) => wants(part) && (tell(text), true);

  if (begin("starts", "starts of a process")) results.starts = await starts(QUICK, repeats.starts);
  if (begin("grid", "the machine's peak")) Object.assign(results, await grid(QUICK, planOf(extent), { extent, tokens, tell }));
  if (begin("reading", "a second question")) results.secondQuestion = await secondQuestion(ask, { turns: repeats.reading });
  if (begin("callers", "callers in flight")) results.callers = await callersInFlight(ask(TARGET_SIZES.usual), repeats.callers);
  if (begin("browser", "wasm in Chromium")) results.browser = await inBrowser(repeats.browser);
  if (wants("base") && !hasBase) tell(`${BASE.id} is left out: models/${BASE.id} is not there`);
  else if (begin("base", `starts of ${BASE.id}`)) {
    // The same texts as above. Their tokens are counted by the quick model's tokenizer, whose words the base model has, too.
    const ofStarts = await starts(BASE, repeats.starts);
    results.base = { starts: ofStarts, ...(await grid(BASE, basePlanOf(extent), { extent, tokens, tell })) };
  }
  return results;
}

async function grid(model, { sizes, pace }, { extent, tokens, tell }) {
  const notes = [];
  const setting = { tokens, isQuick: extent === "quick", note: (text) => notes.push(text) };
  const { contenders, info, manifest } = await openContenders(model, setting);
  const peak = [];
  for (const threads of new Set([1, info.threads]))
    peak.push({ threads, int8: await peakOf({ precision: "int8", threads }), fp32: await peakOf({ precision: "fp32", threads }) });
  const cells = [];
  for (const [i, size] of sizes.entries()) {
    tell(`request ${i + 1} of ${sizes.length}`);
    cells.push(
      await measureCell(contenders, size, { pace, tokens, shape: shapeOf(manifest.network), limits: manifest.limits, peak: peak.at(-1) }),
    );
  }
  for (const { close } of contenders) await close();
  return { environment: environmentOf(info), notes, peak, cells };
}
