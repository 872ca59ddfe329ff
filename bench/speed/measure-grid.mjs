// Times every contender with every request of a plan.
import { figuresOf, ratioOf } from "./figures.mjs";
import { keyOf } from "./grid.mjs";
import { askedOf } from "./requests.mjs";
import { floorRuns, productsOf } from "./floor/runs.mjs";
import { countsOf } from "./contenders.mjs";
import { inTurns } from "./turns.mjs";

/** @typedef {import("./figures.mjs").Estimate} Estimate */
/** @typedef {{ first: import("./figures.mjs").Figures, warm: import("./figures.mjs").Figures, timesAsLong: import("./figures.mjs").Estimate }} Measured */
/**
 * @typedef {{ key: string, name: string, size: import("./requests.mjs").Size, atPeakMs: number, overFloor: Estimate, overFp32: Estimate, notes: string[],
 *   contenders: Record<string, Measured> }} Cell `overFloor`, `overFp32`: our time by the floor's, and by that of our own fp32; `atPeakMs`: of the products at the peak
 */

/**
 * @param {readonly import("./contenders.mjs").Contender[]} contenders the first is the one that others are compared with
 * @param {import("./requests.mjs").Size} size
 * @param {{ pace: object, tokens: object, shape: object, limits: object, peak: { int8: number, fp32: number } }} setting
 * @returns {Promise<Cell>}
 */
export async function measureCell(contenders, size, { pace, tokens, shape, limits, peak }) {
  const asked = askedOf(size, tokens);
  const notes = new Set();
  const able = contenders.filter(({ canRead }) => canRead(asked));
  const timing = able.map(({ name, ask }) => ({
    name,
    ask: async (call) => {
      const { ms, note } = await ask(asked, call);
      if (note !== undefined) notes.add(`${name}: ${note}`);
      return ms;
    },
  }));
  const times = await inTurns(timing, pace);
  const own = times.get(able[0].name);
  const measured = [...times].map(([name, { first, warm }]) => [
    name,
    { first: figuresOf(first), warm: figuresOf(warm), timesAsLong: ratioOf(warm, own.warm) },
  ]);
  const floor = times.get("floor");
  return {
    key: keyOf(size),
    name: asked.name,
    size,
    atPeakMs: atPeak(countsOf(asked, tokens), { shape, limits, peak }),
    overFloor: ratioOf(own.warm, floor.warm),
    overFp32: ratioOf(own.warm, times.get("umpire fp32").warm),
    notes: [...notes],
    contenders: Object.fromEntries(measured),
  };
}

/** How long the request's products would take at the machine's peak, in ms. */
function atPeak(counts, { shape, limits, peak }) {
  const products = floorRuns(counts, limits).map((run) => productsOf(run, shape));
  const sum = (part) => products.reduce((all, one) => all + one[part], 0);
  return sum("linear") / peak.int8 / 1e6 + sum("attention") / peak.fp32 / 1e6;
}
