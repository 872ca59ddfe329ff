import type { QuestionType } from "../../../../src/library/engine/engine.ts";
import type { Scored } from "../../../../src/tools/models/calibrate/fit.ts";
import { randomFrom } from "../../../../src/library/statistics/random.ts";

/** Scored questions from sums and products of seeded numbers: make-golden.py makes the same bits. The larger `sharpness`, the more often the largest score is right. */
export function questions(type: QuestionType, count: number, options: number, sharpness: number, random: () => number): Scored[] {
  return Array.from({ length: count }, (_, text) => {
    const scores = Array.from({ length: options }, () => 6 * (random() + random() - 1));
    const noisy = scores.map((score) => score * sharpness + 6 * (random() - 0.5));
    return { type, scores: Float32Array.from(scores), answer: noisy.indexOf(Math.max(...noisy)), text };
  });
}

/** The questions of golden.json. */
export function goldenQuestions(): Scored[] {
  const random = randomFrom(7);
  const made = [
    ...questions("choice", 120, 2, 0.6, random),
    ...questions("choice", 150, 4, 0.8, random),
    ...questions("choice", 130, 8, 0.5, random),
    ...questions("choice", 60, 15, 0.9, random),
    ...questions("noul", 170, 2, 0.4, random),
    ...questions("score", 140, 5, 0.7, random),
  ];
  return made.map((one, text) => ({ ...one, text }));
}
