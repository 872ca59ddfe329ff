import type { ParsedQuestion } from "../decide/request.ts";
import { TEXTS } from "./readings.ts";
import type { Readings } from "./readings.ts";
import type { CheckWarning } from "./warning.ts";
import { plainWords } from "./wording.ts";

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
  const centred = ofTexts.map((log) => log.map((value) => value - meanOf(log)));
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

/** All orders, each only forwards. */
function ordersOf(items: readonly number[]): number[][] {
  const all = (rest: readonly number[]): number[][] =>
    rest.length === 0 ? [[]] : rest.flatMap((item) => all(rest.filter((other) => other !== item)).map((order) => [item, ...order]));
  return all(items).filter((order) => (order[0] ?? 0) < (order.at(-1) ?? 0));
}

function correlationOf(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  const products = (x: readonly number[], meanX: number, y: readonly number[], meanY: number): number =>
    x.reduce((sum, value, i) => sum + (value - meanX) * ((y[i] ?? 0) - meanY), 0);
  const spread = Math.sqrt(products(a, meanA, a, meanA) * products(b, meanB, b, meanB));
  return spread === 0 ? 0 : products(a, meanA, b, meanB) / spread;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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
export function degreesOf(levels: readonly string[]): readonly number[] | undefined {
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
