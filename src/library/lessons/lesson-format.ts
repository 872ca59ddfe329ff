import type { AppliedLesson } from "../decide/decide.ts";
import type { Criterion } from "../decide/request.ts";
import { sha256Hex } from "../sha256.ts";
import { logOf, softmax } from "../statistics/softmax.ts";
import { counted, elementAt, present } from "../validation/expect.ts";
import type { ExampleReading, Lesson } from "./lesson.ts";

/** Points of a lesson's risk, at most. */
export const MAX_POINTS = 64;

/**
 * SHA-256 of a lesson as JSON, without `id` and `sha256`, and without `report.suspicious`: that names examples by the order in which they came, and the same
 * examples make the same lesson in any order.
 */
export async function sealOf(lesson: Omit<Lesson, "id" | "sha256">): Promise<string> {
  const sealed = { ...lesson, id: undefined, sha256: undefined, report: { ...lesson.report, suspicious: undefined } };
  return sha256Hex(new TextEncoder().encode(JSON.stringify(sealed)));
}

export function idOf(seal: string): string {
  return `lesson-${seal.slice(0, 16)}`;
}

/** Bytes that become characters at once: `String.fromCharCode` takes a limited number of arguments. */
const PIECE_BYTES = 8192;

/** float32 values, little-endian, in Base64. */
export function toBase64(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i] ?? 0, true);
  const bytes = new Uint8Array(view.buffer);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES)));
  return btoa(pieces.join(""));
}

/** Undefined for text that is no Base64 of `length` finite numbers. */
export function fromBase64(text: string, length: number): Float32Array | undefined {
  if (text.length !== 4 * Math.ceil((length * 4) / 3)) return undefined;
  let characters: string;
  try {
    characters = atob(text);
  } catch {
    return undefined;
  }
  if (characters.length !== length * 4) return undefined;
  const view = new DataView(Uint8Array.from(characters, (character) => character.charCodeAt(0)).buffer);
  const values = Float32Array.from({ length }, (_, i) => view.getFloat32(i * 4, true));
  return values.every(Number.isFinite) ? values : undefined;
}

/** The features in a reading; undefined if there are none, or they are damaged. */
export function featuresIn({ features }: ExampleReading): Float32Array | undefined {
  if (features === undefined) return undefined;
  const padding = features.endsWith("==") ? 2 : features.endsWith("=") ? 1 : 0;
  return fromBase64(features, ((features.length / 4) * 3 - padding) / 4);
}

/** A head in numbers. */
export interface Head {
  readonly scale: number;
  /** [criteria] */
  readonly biases: ArrayLike<number>;
  /** float32 [features] and [criteria, features]; undefined: features do not count. */
  readonly features?: { readonly mean: Float32Array; readonly weights: Float32Array } | undefined;
}

/** Answers a question by a head: `AppliedLesson.toProbabilities`. */
export function answerBy({ scale, biases, features }: Head, criteria: readonly Criterion[]): AppliedLesson["toProbabilities"] {
  // Nothing was learned: answers stay as they are, bit for bit.
  if (scale === 1 && features === undefined && criteria.every((_, k) => biases[k] === 0)) return (_, untaught) => untaught;
  const size = features?.mean.length ?? 0;
  /** By key: where a criterion's weights begin, and its bias, less what its weights make of the mean. */
  const byKey = new Map(
    criteria.map(({ key }, k) => {
      const ofMean = features ? product(features.weights, k * size, features.mean) : 0;
      return [key, { weightsAt: k * size, bias: elementAt(biases, k, "bias") - ofMean }];
    }),
  );
  return (question, untaught, given) => {
    const x = features && counted(present(given, "list of features"), size, "features");
    const logits = question.criteria.map(({ key }, i) => {
      const { weightsAt, bias } = present(byKey.get(key), "criterion of that key in the lesson");
      const ofFeatures = features && x ? product(features.weights, weightsAt, x) : 0;
      return scale * logOf(elementAt(untaught, i, "probability")) + bias + ofFeatures;
    });
    return softmax(logits);
  };
}

function product(weights: Float32Array, start: number, x: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < x.length; d++) sum += (weights[start + d] ?? 0) * (x[d] ?? 0);
  return sum;
}
