import type { Decide } from "../decide/decide.ts";
import { saysNothing } from "../decide/questions/choice.ts";
import { parseQuestion, type Criterion, type ParsedQuestion } from "../decide/request.ts";
import { mean } from "../statistics/metrics.ts";
import { AN_ABORT_SIGNAL, checkCallOptions, type RulesOf } from "../validation/field.ts";
import { checkYesOrNo, readingsOf, TEXTS, type CheckOptions, type CheckWarning, type QuestionCheck, type Readings } from "./readings.ts";
import { checkDescriptions, checkInstructions, checkKeys, checkWording, named, plainWords } from "./wording.ts";

export type { CheckCode, CheckOptions, CheckWarning, QuestionCheck } from "./readings.ts";

/**
 * Warns of what makes a question's answers bad. Some is seen in the texts alone. For the rest the question is asked about a few built-in texts and about
 * its own criteria: 12 readings of a choice, 9 of a yes/no and 15 of a score at most.
 * @throws {DecideError} `invalid_request` for options, or a question that a request may not hold; what `decide` throws.
 * @throws `signal.reason` once the signal is aborted.
 */
export async function check(decide: Decide, question: unknown, options: CheckOptions = {}): Promise<QuestionCheck> {
  checkCallOptions(options, RULES);
  const { signal } = options;
  signal?.throwIfAborted();
  const parsed = parseQuestion(question);
  const readings = readingsOf(decide, parsed, signal);
  const seen = [...checkInstructions(parsed), ...checkWording(parsed), ...checkDescriptions(parsed), ...checkKeys(parsed)];
  return { warnings: [...seen, ...((await READ[parsed.type]?.(parsed, readings)) ?? [])] };
}

const RULES: RulesOf<CheckOptions> = { signal: AN_ABORT_SIGNAL };

const READ: { readonly [Type in ParsedQuestion["type"]]?: (question: ParsedQuestion, readings: Readings) => Promise<CheckWarning[]> } = {
  choice: checkSameOptions,
  noul: checkYesOrNo,
  score: checkScaleOrder,
};

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
  /** Its description, else its key. */
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
async function checkSameOptions({ criteria }: ParsedQuestion, readings: Readings): Promise<CheckWarning[]> {
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

function sharesWith(own: readonly number[] = [], it: number, other: number, maxGap: number): boolean {
  const [p = 0, q = 0] = [own[it], own[other]];
  return Math.abs(p - q) < maxGap && Math.exp(q) > MIN_EACH && Math.exp(p) + Math.exp(q) > MIN_BOTH;
}

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
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** Of three levels there are three orders, and chance decides too often which one fits best. */
const MIN_LEVELS = 4;
/** Of more levels, there are too many orders to try: 2,520 of seven. */
const MAX_LEVELS = 7;
/** How well an order must fit to say that the levels are a scale at all, and how badly the given one may fit: correlations. */
const SCALE_FIT = 0.7;
const OWN_MISFIT = -0.1;
const TEXTS_MISFIT = -0.3;

type Matrix = readonly (readonly number[])[];

/**
 * Levels that do not rise. Words of degree and numbers say so themselves. Otherwise the model does: it reads two levels the more alike, the nearer they
 * are on a scale. How alike is measured twice: by the probability of one level when the text of the other is read, and by the correlation of their
 * probabilities over the built-in texts. Which end is the high one cannot be seen that way.
 */
export async function checkScaleOrder({ criteria }: ParsedQuestion, readings: Readings): Promise<CheckWarning[]> {
  const levels = criteria.map(({ description }) => description ?? "");
  const same = criteria.filter((_, i) =>
    levels.some((level, j) => i !== j && plainWords(level) !== "" && plainWords(level) === plainWords(levels[i] ?? "")),
  );
  if (same.length > 0) {
    const message =
      "Several levels of the scale have the same text. Say what each level has that the one below it has not, or leave it out.";
    return [{ code: "same_options", message, criteria: same.map(({ key }) => key) }];
  }
  const degrees = degreesOf(levels);
  const rises =
    degrees === undefined ? !(await isJumbled(levels, readings)) : degrees.every((degree, i) => i === 0 || degree >= (degrees[i - 1] ?? 0));
  if (rises) return [];
  const message =
    "The levels do not rise from the first to the last, but the score is the number of a level, counted from 0. Write them from the lowest to the highest, such as low, medium, high.";
  return [{ code: "scale_order", message, criteria: criteria.map(({ key }) => key) }];
}

/** Whether another order of the levels fits what the model reads in them, and the given one does not. */
async function isJumbled(levels: readonly string[], readings: Readings): Promise<boolean> {
  if (levels.length < MIN_LEVELS || levels.length > MAX_LEVELS) return false;
  const byOwn = likenessByOwn(await readings(levels));
  const given = levels.map((_, i) => i);
  if (fitOf(byOwn, given) > OWN_MISFIT) return false;
  if (Math.max(...ordersOf(given).map((order) => fitOf(byOwn, order))) < SCALE_FIT) return false;
  return fitOf(likenessByTexts(await readings(TEXTS)), given) < TEXTS_MISFIT;
}

/** @param own the levels' log-probabilities when the text of each is read */
function likenessByOwn(own: Matrix): Matrix {
  const rise = (i: number, j: number): number => (own[i]?.[j] ?? 0) - (own[i]?.[i] ?? 0);
  return own.map((_, i) => own.map((__, j) => (rise(i, j) + rise(j, i)) / 2));
}

/** @param ofTexts the levels' log-probabilities for each text */
function likenessByTexts(ofTexts: Matrix): Matrix {
  const centred = ofTexts.map((log) => log.map((value) => value - mean(log)));
  const levels = (centred[0] ?? []).map((_, i) => centred.map((log) => log[i] ?? 0));
  return levels.map((a) => levels.map((b) => correlationOf(a, b)));
}

/** The correlation between how alike two levels are and how near they stand. @param places the place of each level */
function fitOf(likeness: Matrix, places: readonly number[]): number {
  const alike: number[] = [];
  const near: number[] = [];
  for (let i = 0; i < places.length; i++) {
    for (let j = 0; j < i; j++) {
      alike.push(likeness[i]?.[j] ?? 0);
      near.push(-Math.abs((places[i] ?? 0) - (places[j] ?? 0)));
    }
  }
  return correlationOf(alike, near);
}

function ordersOf(items: readonly number[]): number[][] {
  const all = (rest: readonly number[]): number[][] =>
    rest.length === 0 ? [[]] : rest.flatMap((item) => all(rest.filter((other) => other !== item)).map((order) => [item, ...order]));
  return all(items).filter((order) => (order[0] ?? 0) < (order.at(-1) ?? 0));
}

function correlationOf(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const products = (x: readonly number[], meanX: number, y: readonly number[], meanY: number): number =>
    x.reduce((sum, value, i) => sum + (value - meanX) * ((y[i] ?? 0) - meanY), 0);
  const spread = Math.sqrt(products(a, meanA, a, meanA) * products(b, meanB, b, meanB));
  return spread === 0 ? 0 : products(a, meanA, b, meanB) / spread;
}

/** Words of degree that people make scales of, from low to high, and words of the same degree together. */
const LADDERS: readonly (readonly string[])[] = [
  [
    "no|not|none|not at all|never|zero|nothing",
    "very low|lowest|very little|minimal|tiny|hardly|hardly at all|barely|rarely|seldom|very small",
    "low|little|a little|slight|slightly|small|minor|mild|mildly|weak|weakly|occasionally",
    "medium|moderate|moderately|middle|middling|average|somewhat|fairly|partly|sometimes|normal",
    "high|much|large|big|strong|strongly|major|often|mostly|very|severe|serious",
    "very high|very much|very large|very strong|very often|highest|extreme|extremely|always|critical|huge|completely|fully|totally",
  ],
  [
    "terrible|awful|horrible|very bad|very poor|very negative|very dissatisfied|very unhappy|hates it|hate",
    "bad|poor|negative|dissatisfied|unhappy|displeased|dislikes it|dislike",
    "neutral|mixed|ok|okay|average|fair|so so|acceptable|neither",
    "good|positive|satisfied|happy|pleased|likes it|like",
    "very good|great|excellent|outstanding|perfect|delighted|very positive|very satisfied|very happy|very pleased|loves it|love",
  ],
  ["strongly disagree", "disagree", "neutral|neither agree nor disagree|undecided", "agree", "strongly agree"],
  ["impossible", "very unlikely", "unlikely", "possible|maybe|perhaps", "likely|probable", "very likely", "certain"],
  ["calm", "irritated|annoyed", "angry", "furious"],
  ["cold", "cool", "lukewarm|mild", "warm", "hot"],
];

const RANKS = LADDERS.map(
  (ladder) => new Map(ladder.flatMap((words, rank) => words.split("|").map((word): [string, number] => [word, rank]))),
);

/**
 * How high each level is, by its words or by the number that it begins with; undefined unless all of them say so in the same way.
 */
function degreesOf(levels: readonly string[]): readonly number[] | undefined {
  const numbers = levels.map((level) => numberAtStart(level));
  if (numbers.every((number) => !Number.isNaN(number))) return numbers;
  const words = withoutCommonEnd(levels.map(plainWords));
  return RANKS.map((ranks) => words.map((word) => ranks.get(word) ?? NaN)).find((ranks) => ranks.every((rank) => !Number.isNaN(rank)));
}

function numberAtStart(level: string): number {
  const [, digits] = /^\s*(-?\d+(?:,\d{3})*(?:\.\d+)?)(?![\d:./])/u.exec(level) ?? [];
  return digits === undefined ? NaN : Number(digits.replaceAll(",", ""));
}

/** "not urgent", "slightly urgent", "very urgent" -> "not", "slightly", "very". */
function withoutCommonEnd(levels: readonly string[]): readonly string[] {
  const split = levels.map((level) => level.split(" "));
  const end = split[0]?.at(-1);
  const isCommon = split.every((words) => words.length > 1 && words.at(-1) === end);
  return isCommon ? split.map((words) => words.slice(0, -1).join(" ")) : levels;
}
