/** An object of a tokenizer.json: nothing about it is known yet, as such files come from strangers. */
export type Part = Readonly<Record<string, unknown>>;

/** @throws {Error} `what` has another shape */
export function partOf(value: unknown, what: string): Part {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`);
  return value as Part;
}

export function listOf(value: unknown, what: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new Error(`${what} is not an array of at most ${most} items`);
  return value;
}

const MAX_PARTS = 20;

/**
 * The parts of a tokenizer.json's normalizer, pre-tokenizer or post-processor, which may be one, a sequence or none.
 * @param list what a sequence calls its list
 */
export function partsOf(value: unknown, kind: string, list: string): readonly Part[] {
  if (value === null || value === undefined) return [];
  const part = partOf(value, `its ${kind}`);
  if (part["type"] !== "Sequence") return [part];
  return listOf(part[list], `its ${kind}'s sequence`, MAX_PARTS).map((inner) => {
    const innerPart = partOf(inner, `its ${kind}`);
    if (innerPart["type"] === "Sequence") throw unsupported(kind, "Sequence in a Sequence");
    return innerPart;
  });
}

export function textOf(value: unknown, what: string, most: number): string {
  if (typeof value !== "string" || value.length > most) throw new Error(`${what} is not a text of at most ${most} characters`);
  return value;
}

export function flagOf(value: unknown, what: string, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== "boolean") throw new Error(`${what} is neither true nor false`);
  return value;
}

/** Ids above this belong to no model: 260,000 tokens are many. */
const MAX_ID = 2_000_000;

export function idOf(value: unknown, what: string): number {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > MAX_ID)
    throw new Error(`${what} is not a whole number from 0 to ${MAX_ID}`);
  return Number(value);
}

/** A part of a kind that is not supported: what there is, quoted and cut. */
export function unsupported(what: string, kind: unknown): Error {
  const quoted = typeof kind === "string" ? JSON.stringify(kind.slice(0, 100)) : `of type ${typeof kind}`;
  return new Error(`its ${what} ${quoted} is not supported`);
}
