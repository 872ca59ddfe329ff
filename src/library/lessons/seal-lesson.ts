import { sha256Hex } from "../sha256.ts";
import type { Lesson } from "./lesson.ts";

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
