import type { Criterion, ParsedQuestion } from "../decide/request.ts";
import { saysNothing } from "../decide/questions/choice.ts";
import { TEXTS } from "./readings.ts";
import type { Readings } from "./readings.ts";
import type { CheckWarning } from "./warning.ts";
import { named, plainWords } from "./wording.ts";

/** How many of the pairs that are nearest by the built-in texts are tried on their own texts. */
const MAX_TRIED = 2;
/** A pair's log-ratio varies no more than this over the built-in texts: standard deviation, in nats. */
const MAX_DEVIATION = 0.6;
/** Read about the text of one option of a pair, the other has a probability that is smaller by this factor at most, in nats. */
const MAX_GAP = 1.1;
/** With two options there are no others that could take what neither deserves, so that more is asked for. */
const MAX_GAP_OF_TWO = 0.4;
/** Each of the pair has at least this probability then, */
const MIN_EACH = 0.2;
/** and together at least this one. Otherwise the model makes nothing of either. */
const MIN_BOTH = 0.85;
/** Numbers that the state is asked for are read alike, and mean different things. */
const HAS_NUMBER = /\p{Nd}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozens?|hundreds?|thousands?)\b/iu;
/** Options for everything else: two of them mean the same. */
const IS_REST = /^(?:others?|misc|miscellaneous|something else|anything else|everything else|all others?)$/u;

interface Option {
  readonly key: string;
  /** What it is said to be: its description, else its key. */
  readonly text: string;
  /** Whether the key is read before the text. */
  readonly isKeyRead: boolean;
}

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly deviation: number;
}

/**
 * Options that mean the same. Over the built-in texts their probabilities keep their ratio. That is not enough, because options that no text has to do
 * with do, too: so the nearest pairs are also asked about their own texts, where two options of one meaning share the probability.
 */
export async function checkSameOptions({ criteria }: ParsedQuestion, readings: Readings): Promise<CheckWarning[]> {
  const options = criteria.map(toOption);
  const alike = sameTexts(options);
  const pairs = alike.length > 0 ? alike : await sameToModel(options, readings);
  return pairs.map((keys) => ({
    code: "same_options",
    message: `The model hardly tells ${named(keys, "options")} apart. Make them one option, or describe each by what the other is not.`,
    criteria: keys,
  }));
}

function toOption({ key, description }: Criterion): Option {
  const text = description?.trim() ?? "";
  return text === "" ? { key, text: key.replaceAll("_", " "), isKeyRead: false } : { key, text, isKeyRead: !saysNothing(key) };
}

/** Keys of options that are read as the same words. */
function sameTexts(options: readonly Option[]): string[][] {
  const byText = new Map<string, string[]>();
  for (const { key, text, isKeyRead } of options) {
    const isRest = [key.replaceAll("_", " "), text].some((words) => IS_REST.test(plainWords(words)));
    const read = isRest ? "other" : (isKeyRead ? `${key.replaceAll("_", " ")}: ${text}` : text).toLowerCase().replaceAll(/\s+/gu, " ");
    byText.set(read, [...(byText.get(read) ?? []), key]);
  }
  return [...byText.values()].filter((keys) => keys.length > 1);
}

async function sameToModel(options: readonly Option[], readings: Readings): Promise<string[][]> {
  const nearest = nearestPairs(options, await readings(TEXTS));
  const own = new Map<number, number[]>();
  for (const i of new Set(nearest.flatMap(({ a, b }) => [a, b]))) own.set(i, (await readings([options[i]?.text ?? ""]))[0] ?? []);
  const maxGap = options.length === 2 ? MAX_GAP_OF_TWO : MAX_GAP;
  const areSame = ({ a, b }: Pair): boolean => sharesWith(own.get(a), a, b, maxGap) && sharesWith(own.get(b), b, a, maxGap);
  return nearest.filter(areSame).map(({ a, b }) => [options[a]?.key ?? "", options[b]?.key ?? ""]);
}

/** Whether an option shares the probability with another, when the state is its own text. */
function sharesWith(own: readonly number[] = [], it: number, other: number, maxGap: number): boolean {
  const [p = 0, q = 0] = [own[it], own[other]];
  return Math.abs(p - q) < maxGap && Math.exp(q) > MIN_EACH && Math.exp(p) + Math.exp(q) > MIN_BOTH;
}

/** The pairs of options whose ratio varies least over the texts. */
function nearestPairs(options: readonly Option[], ofTexts: readonly (readonly number[])[]): Pair[] {
  const pairs: Pair[] = [];
  const isTried = options.map(({ text }) => !HAS_NUMBER.test(text));
  for (let b = 0; b < options.length; b++) {
    for (let a = 0; a < b; a++) {
      if (isTried[a] !== true || isTried[b] !== true) continue;
      const deviation = deviationOf(ofTexts.map((log) => (log[a] ?? 0) - (log[b] ?? 0)));
      if (deviation < MAX_DEVIATION) pairs.push({ a, b, deviation });
    }
  }
  return pairs.toSorted((x, y) => x.deviation - y.deviation).slice(0, MAX_TRIED);
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
