import type { OptionText } from "../../engine/engine.ts";
import type { Field } from "../../validation/field.ts";
import { elementAt } from "../../validation/expect.ts";
import { argmax, byKey, checkCount, readText, type Criterion, type Answering, type QuestionKind } from "./question-kind.ts";
import { softmax } from "../../statistics/softmax.ts";
import type { Description, ScoreAnswer, Text } from "../types.ts";

export const MAX_LEVELS = 10;
const SOME_LEVELS = '["calm", "angry"]';

/** Places the state on a scale of levels. */
export const SCORE: QuestionKind = {
  aliases: ["scale", "rating", "number", "likert"],
  parse: ({ instructions, criteria }) => ({ instructions: readText(instructions), criteria: readLevels(criteria) }),
};

export const SCORE_ANSWERS: Answering<ScoreAnswer> = {
  read: readLevel,
  calibrate: (scores, calibration) => softmax(scores, calibration.score.temperature),
  answer: (criteria, probabilities) => {
    const n = probabilities.length;
    const best = argmax(probabilities);
    const mean = (of: (p: number, i: number) => number): number => probabilities.reduce((sum, p, i) => sum + of(p, i), 0);
    const score = mean((p, i) => p * i);
    const meanDistance = mean((_, i) => Math.abs(i - (n - 1) / 2)) / n;
    const confidence = Math.max(0, 1 - mean((p, i) => p * Math.abs(i - best)) / meanDistance);
    return {
      type: "score",
      score,
      legend: byKey(criteria, givenLevel),
      probabilities: byKey(criteria, (_, i) => elementAt(probabilities, i, "probability")),
      confidence,
    };
  },
};

function readLevels(levels: Field): Criterion[] {
  if (!Array.isArray(levels.value)) {
    levels.refuseType(`an array of level descriptions, low to high, such as ${SOME_LEVELS}`);
    return [];
  }
  checkCount(levels, levels.value.length, MAX_LEVELS, "levels", SOME_LEVELS);
  // Levels beyond the greatest number need no issue of their own. Array.from, unlike map, also visits the holes of a sparse array.
  return Array.from<unknown, Criterion>(levels.value.slice(0, MAX_LEVELS), (value, i) => {
    // A legend holds what was given, and official clients cannot read a null there.
    return { key: String(i), description: readText(levels.at(i, value)), given: value as Description };
  });
}

/** A level is never null. */
export function givenLevel({ given }: Criterion): Text {
  return given ?? "";
}

function readLevel({ key, description }: Criterion): OptionText {
  // Without a description the level's number is read. The caller did not send it, so its tokens are not counted.
  if (description === null || description === "") return { text: key, sent: [], answer: null };
  return { text: description, sent: [description], answer: null };
}
