/** A row that may be asked about next. */
export interface Candidate {
  /** float64 [criteria]: what the lesson so far says, or the model alone. */
  readonly probabilities: Float64Array;
  /** How like an answered row it is, 0 to 1: the largest cosine of features. 0 if there are no features. */
  readonly likeness: number;
}

/** Shares of the draws. */
export interface Shares {
  /** By chance alone. */
  readonly any: number;
  /** By what an answer would teach; */
  readonly teaching: number;
  /** and of rows that could be acted on, by chance: they prove the promise. */
  readonly proving: number;
}

/** One in five by chance: no row's weight is then more than five times the mean. */
export const SHARES: Shares = { any: 0.2, teaching: 0.4, proving: 0.4 };

/**
 * The probability with which each row is drawn next; they sum to 1. Of `teaching`, it is in proportion to uncertainty times variety: one less the margin between the two
 * likeliest answers (Scheffer et al. 2001), and one less the likeness to rows that are answered. Of `proving`, it is the same for all rows that could be acted on.
 * @param candidates one or more
 * @param errorOf how often an answer of a probability is probably wrong, 0 to 1
 * @param maxErrorRate the rate that is promised
 */
export function drawProbabilities(
  candidates: readonly Candidate[],
  errorOf: (probability: number) => number,
  maxErrorRate: number,
  shares: Shares = SHARES,
): Float64Array {
  const teaching = normalised(candidates.map(({ probabilities, likeness }) => (1 - marginOf(probabilities)) * (1 - likeness)));
  const proving = normalised(provingOf(candidates, errorOf, maxErrorRate));
  const any = 1 / candidates.length;
  return Float64Array.from(
    candidates,
    (_, i) => shares.any * any + shares.teaching * (teaching?.[i] ?? any) + shares.proving * (proving?.[i] ?? any),
  );
}

/** Of a quarter of all rows, but more if more could probably be acted on: the surest, as long as the mean of their errors is at most the rate. */
function provingOf(candidates: readonly Candidate[], errorOf: (probability: number) => number, maxErrorRate: number): number[] {
  const tops = candidates.map(({ probabilities }) => Math.max(...probabilities));
  const surest = [...tops.keys()].sort((a, b) => (tops[b] ?? 0) - (tops[a] ?? 0));
  let [count, errors] = [Math.ceil(candidates.length / 4), 0];
  for (const [i, row] of surest.entries()) {
    errors += errorOf(tops[row] ?? 0);
    if (errors <= maxErrorRate * (i + 1)) count = Math.max(count, i + 1);
  }
  const weights = candidates.map(() => 0);
  for (const row of surest.slice(0, count)) weights[row] = 1;
  return weights;
}

function marginOf(probabilities: Float64Array): number {
  let [first, second] = [0, 0];
  for (const p of probabilities) {
    if (p > first) [first, second] = [p, first];
    else if (p > second) second = p;
  }
  return first - second;
}

function normalised(weights: readonly number[]): number[] | undefined {
  const sum = weights.reduce((a, b) => a + b, 0);
  return sum > 0 ? weights.map((weight) => weight / sum) : undefined;
}

/** An index, drawn with these probabilities. @param random 0 to 1, without 1 */
export function drawn(probabilities: Float64Array, random: number): number {
  let left = random;
  for (const [i, p] of probabilities.entries()) {
    left -= p;
    if (left < 0 && p > 0) return i;
  }
  return probabilities.length - 1;
}

/** How an answered row was drawn. */
export interface Draw {
  /** The probability with which it was. */
  readonly probability: number;
  /** How many rows there were to draw from. */
  readonly from: number;
}

/**
 * The weights of rows drawn one after the other without replacement, so that weighted sums are those of all rows on average: 1 + (N - M) / (N - m) (1 / ((N - m + 1) q) - 1),
 * of the m-th of M (Farquhar, Gal and Rainforth 2021, "On Statistical Bias In Active Learning: How and When To Fix It"). N - m + 1 is `from`.
 * @param draws in their order
 */
export function weightsOf(draws: readonly Draw[]): number[] {
  return draws.map(({ probability, from }, i) => {
    const left = from - (draws.length - i);
    return from === 1 ? 1 : 1 + (left / (from - 1)) * (1 / (from * probability) - 1);
  });
}

/** How like each row is to those that are answered: the largest cosine of their features, less the mean of the first rows, 0 to 1. */
export class Likeness {
  readonly #rows: (Float64Array | undefined)[] = [];
  readonly #answered: Float64Array[] = [];
  readonly #largest: number[] = [];
  #mean: Float64Array | undefined;

  /** @param first features of some rows, whose mean is taken from all */
  center(first: readonly Float32Array[]): void {
    const size = first[0]?.length ?? 0;
    this.#mean = new Float64Array(size).map((_, d) => first.reduce((sum, x) => sum + (x[d] ?? 0), 0) / first.length);
  }

  add(row: number, features: Float32Array | undefined): void {
    const own = features && this.#unitOf(features);
    this.#rows[row] = own;
    this.#largest[row] = own ? Math.max(0, ...this.#answered.map((other) => product(own, other))) : 0;
  }

  of(row: number): number {
    return this.#largest[row] ?? 0;
  }

  answered(row: number): void {
    const own = this.#rows[row];
    if (own === undefined) return;
    this.#answered.push(own);
    for (const [i, other] of this.#rows.entries()) if (other) this.#largest[i] = Math.max(this.#largest[i] ?? 0, product(own, other));
  }

  #unitOf(features: Float32Array): Float64Array {
    const x = Float64Array.from(features, (value, d) => value - (this.#mean?.[d] ?? 0));
    const length = Math.sqrt(product(x, x));
    return length === 0 ? x : x.map((value) => value / length);
  }
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d] ?? 0) * (b[d] ?? 0);
  return sum;
}

/** What the answers so far are worth. */
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
