import { plainWords } from "./words.ts";

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
