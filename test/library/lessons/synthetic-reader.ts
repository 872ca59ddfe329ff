import type { QuestionReader } from "../../../src/library/lessons/read-examples.ts";
import { INFO, numberFor } from "../../support/fake-engine.ts";

export const FEATURES = 6;

/** What the words "red", "green" and "blue" in a state leave in its features, which the model alone does not use. */
const HINTS = ["red", "green", "blue"];

/** Reads states without a model: probabilities by their text and the options' keys, and features that tell of some words. */
export function syntheticReader(options: { features?: number; onRead?: (state: string) => Promise<void> | void } = {}): QuestionReader {
  const size = options.features ?? FEATURES;
  const info = { ...INFO, model: "umpire-test", seal: "5".repeat(64), features: size };
  return {
    info: () => Promise.resolve(info),
    async read({ state, questions: [question] }, signal) {
      await options.onRead?.(state);
      signal?.throwIfAborted();
      const weights = (question?.criteria ?? []).map(({ key }) => Math.exp(numberFor(`${state} ${key}`, 1)));
      const sum = weights.toSorted((a, b) => a - b).reduce((a, b) => a + b, 0);
      const features = Float32Array.from({ length: size }, (_, d) => {
        const hint = HINTS[d];
        return 0.2 * numberFor(state, d + 2) + (hint !== undefined && state.includes(hint) ? 1 : 0);
      });
      return {
        info,
        probabilities: Float64Array.from(weights, (weight) => weight / sum),
        features: size === 0 ? undefined : features,
      };
    },
  };
}

export const COLOURS = { type: "choice", instructions: "Which colour?", criteria: { red: null, green: null, blue: null } } as const;

/** Examples whose answers their texts tell. */
export function coloured(count: number): { state: string; answer: "red" | "green" | "blue" }[] {
  const colours = ["red", "green", "blue"] as const;
  return Array.from({ length: count }, (_, i) => {
    const answer = colours[i % 3] ?? "red";
    return { state: `note ${i}: it is ${answer}`, answer };
  });
}
