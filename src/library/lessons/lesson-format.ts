import { sha256Hex } from "../sha256.ts";
import type { Lesson } from "./lesson.ts";

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
