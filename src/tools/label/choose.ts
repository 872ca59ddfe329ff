export interface Candidate {
  /** float64 [criteria]: what the lesson so far says, or the model alone. */
  readonly probabilities: Float64Array;
  /** How like an answered row it is, 0 to 1: the largest cosine of features. 0 if there are no features. */
  readonly likeness: number;
}

/** One row in five is drawn by chance among all. */
const BY_CHANCE = 0.2;

export interface Draw {
  /** Its place among the candidates. */
  readonly index: number;
  /**
   * How many rows it stands for in a bound of errors: the inverse of the chance with which it was drawn (Horvitz and Thompson 1952), in units of one row in all.
   * 0 if it was chosen for what it would teach: such rows are harder than others.
   */
  readonly weight: number;
}

/**
 * Draws a row. One in five comes by chance among all rows. Of the others, as large a part as could probably be acted on comes by chance among the rows of that part: their
 * answers prove the promise. The rest comes by what would teach most, in proportion to uncertainty times variety: one less the margin between the two likeliest
 * answers (Scheffer et al. 2001), and one less the likeness to rows that are answered.
 *
 * So of N rows, one that could be acted on is drawn by chance with probability 1 / N, and any other with 0.2 / N.
 * @param candidates one or more
 * @param errorOf how often an answer of a probability is probably wrong, 0 to 1
 * @param maxErrorRate the rate that is promised
 * @param random 0 to 1, without 1
 */
export function drawRow(
  candidates: readonly Candidate[],
  errorOf: (probability: number) => number,
  maxErrorRate: number,
  random: () => number,
): Draw {
  const acted = probablyActedOn(candidates, errorOf, maxErrorRate);
  const among = (rows: readonly number[]): number => rows[Math.floor(random() * rows.length)] ?? 0;
  if (random() < BY_CHANCE) {
    const index = among([...candidates.keys()]);
    return { index, weight: acted.has(index) ? 1 : 1 / BY_CHANCE };
  }
  if (random() < acted.size / candidates.length) return { index: among([...acted]), weight: 1 };
  return { index: drawnBy(candidates.map(worthOf), random()), weight: 0 };
}

/** How much an answer would teach, without a unit. */
function worthOf({ probabilities, likeness }: Candidate): number {
  let [first, second] = [0, 0];
  for (const p of probabilities) {
    if (p > first) [first, second] = [p, first];
    else if (p > second) second = p;
  }
  // Never 0: where all rows are alike, each may come.
  return 1e-9 + (1 - (first - second)) * (1 - likeness);
}

/** A place, drawn in proportion to these weights. */
function drawnBy(weights: readonly number[], random: number): number {
  let left = random * weights.reduce((a, b) => a + b, 0);
  for (const [i, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

/** So much of the promised rate may be expected: what is to be proved must be better than the promise. */
const EXPECTED = 0.5;

/** The surest rows, as long as the mean of their probable errors is low enough; but at least a quarter of all. */
function probablyActedOn(candidates: readonly Candidate[], errorOf: (probability: number) => number, maxErrorRate: number): Set<number> {
  const tops = candidates.map(({ probabilities }) => Math.max(...probabilities));
  const surest = [...tops.keys()].sort((a, b) => (tops[b] ?? 0) - (tops[a] ?? 0));
  let [count, errors] = [Math.ceil(candidates.length / 4), 0];
  for (const [i, row] of surest.entries()) {
    errors += errorOf(tops[row] ?? 0);
    if (errors <= EXPECTED * maxErrorRate * (i + 1)) count = Math.max(count, i + 1);
  }
  return new Set(surest.slice(0, count));
}

/** How like each row is to those that are answered: the largest cosine of their features, less the mean of all rows, 0 to 1. */
export class Likeness {
  readonly #rows: readonly (Float64Array | undefined)[];
  readonly #largest: Float64Array;

  /** @param features by row */
  constructor(features: readonly (Float32Array | undefined)[]) {
    const all = features.filter((x) => x !== undefined);
    const mean = new Float64Array(all[0]?.length ?? 0).map((_, d) => all.reduce((sum, x) => sum + (x[d] ?? 0), 0) / all.length);
    this.#rows = features.map((x) => x && unit(Float64Array.from(x, (value, d) => value - (mean[d] ?? 0))));
    this.#largest = new Float64Array(features.length);
  }

  of(row: number): number {
    return this.#largest[row] ?? 0;
  }

  answered(row: number): void {
    const own = this.#rows[row];
    if (own === undefined) return;
    for (const [i, other] of this.#rows.entries()) if (other) this.#largest[i] = Math.max(this.#largest[i] ?? 0, product(own, other));
  }
}

function unit(x: Float64Array): Float64Array {
  const length = Math.sqrt(product(x, x));
  return length === 0 ? x : x.map((value) => value / length);
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d] ?? 0) * (b[d] ?? 0);
  return sum;
}

export interface Round {
  readonly answered: number;
  /** The share of the rows without an answer that could be acted on at the rate that is promised, 0 to 1. */
  readonly share: number;
  /** Share of right answers to the rows that were answered, each by what was learned of others. These are harder than most. */
  readonly accuracy: number;
  readonly learned: "nothing" | "biases" | "features";
}

const NEARLY_ALL = 0.95;
const LOOKS_BACK = 48;
const HARDLY = 0.02;
/** Where nothing can be promised, it takes more to know that nothing will. */
const ENOUGH = 96;
const ENOUGH_FOR_NOTHING = 240;

/** Why more answers would hardly help, in a sentence; undefined: they may. @param rounds in order */
export function hasSettled(rounds: readonly Round[], maxErrorRate: number): string | undefined {
  const last = rounds.at(-1);
  if (last === undefined) return undefined;
  const inHundred = (share: number): string => `${Math.floor(100 * share + 1e-9)} in 100`;
  if (last.share >= NEARLY_ALL) return `${inHundred(last.share)} of the rest can be acted on. More answers can hardly raise that.`;
  const before = rounds.filter(({ answered }) => answered <= last.answered - LOOKS_BACK);
  const best = Math.max(0, ...before.map(({ share }) => share));
  if (before.length === 0 || last.share > best + HARDLY) return undefined;
  if (last.share > 0 && last.answered >= ENOUGH)
    return `The last ${LOOKS_BACK} answers did not raise the share that can be acted on. More would hardly help.`;
  if (last.answered >= ENOUGH_FOR_NOTHING)
    return `After ${last.answered} answers, still nothing can be acted on with at most ${inHundred(maxErrorRate)} wrong. Word the question otherwise, describe its options, allow more errors, or take a larger model.`;
  return undefined;
}
