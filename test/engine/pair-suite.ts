import { afterAll, beforeAll } from "vitest";
import type { DeciderOptions } from "umpire";
import { AddedPack } from "../support/added-pack.ts";
import { engineSuite } from "./suite.ts";

/** The engine's suite with a tiny model of the family pair. */
export function pairSuite(name: string, base: DeciderOptions): void {
  let pack: AddedPack;
  beforeAll(async () => {
    pack = await AddedPack.make("bert");
  });
  afterAll(() => pack.remove());

  engineSuite(name, base, {
    id: "tiny-pair",
    family: "pair",
    isBuiltIn: false,
    packUrl: () => pack.url,
    limits: { stateTokens: 4096, windowTokens: 128, overlapTokens: 32, instructionsTokens: 32, optionTokens: 40 },
    word: "the",
    busyRequest: {
      state: Array.from({ length: 900 }, (_, i) => `the ${i}`).join(" "),
      questions: {
        q: {
          type: "choice",
          instructions: "Which?",
          criteria: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`number ${i}`, null])),
        },
      },
    },
  });
}
