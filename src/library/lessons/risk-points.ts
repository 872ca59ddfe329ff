import type { RiskPoint } from "../engine/engine.ts";
import type { HeldOut } from "./held-out.ts";

export const MAX_POINTS = 64;

/** How many of the surest answers were wrong, at 64 places or fewer. Answers of equal probability count together. */
export function riskPoints(answers: readonly HeldOut[]): RiskPoint[] {
  const surest = answers.toSorted((a, b) => b.probability - a.probability);
  const every = Math.max(1, Math.ceil(surest.length / MAX_POINTS));
  const points: RiskPoint[] = [];
  let errors = 0;
  for (const [i, { probability, given, right }] of surest.entries()) {
    if (given !== right) errors++;
    const count = i + 1;
    const isLast = count === surest.length;
    const last = points.at(-1)?.answers ?? 0;
    if ((count - last >= every || isLast) && surest[count]?.probability !== probability)
      points.push({ probability, answers: count, errors });
  }
  return points;
}
