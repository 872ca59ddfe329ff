import type { QuestionReader } from "../../src/lessons/question-reader.ts";
import type { EngineInfo } from "../../src/engine/engine.ts";

export const FEATURES = 6;

const INFO = { model: "umpire-test", seal: "5".repeat(64), features: FEATURES } as EngineInfo;

/** A number from 0 to 1 for any text and salt, the same every time. */
export function numberFor(text: string, salt: number): number {
  let bits = Math.imul(salt + 1, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 32;
}

/** What the words "red", "green" and "blue" in a state leave in its features, which the model alone does not use. */
const HINTS = ["red", "green", "blue"];

/** Reads states without a model: probabilities by their text and the options' keys, and features that tell of some words. */
export function syntheticReader(options: { features?: number; onRead?: (state: string) => Promise<void> | void } = {}): QuestionReader {
  const size = options.features ?? FEATURES;
  return {
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
        info: { ...INFO, features: size },
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
