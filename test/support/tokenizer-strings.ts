import { readFileSync } from "node:fs";
import { randomFrom } from "../../src/library/statistics/random.ts";

interface Parts {
  readonly characters: readonly (readonly [number, number])[];
  readonly texts: { readonly [kind: string]: readonly string[] };
}

const { characters, texts } = JSON.parse(readFileSync(new URL("../fixtures/tokenizers/strings.json", import.meta.url), "utf8")) as Parts;
const kinds = Object.values(texts);

/** The strings on which tokenizers are compared: made by a small seeded generator, which test/fixtures/tokenizers/strings.py repeats number by number. */
export function* strings(count: number, seed: number): Generator<string> {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

  function part(): string {
    const kind = kinds[below(kinds.length + 2)];
    if (kind !== undefined) return pick(kind);
    const [first, last] = pick(characters);
    const made = Array.from({ length: 1 + below(4) }, () => String.fromCodePoint(first + below(last - first + 1))).join("");
    return made.repeat(below(20) === 0 ? below(30) : 1);
  }

  for (let at = 0; at < count; at += 1) {
    const length = below(25) === 0 ? below(60) : below(10);
    const between = pick(["", " ", " ", "  "]);
    yield Array.from({ length }, part).join(between);
  }
}
