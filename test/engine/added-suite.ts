import { afterAll, beforeAll } from "vitest";
import type { DeciderOptions } from "umpire";
import { engineSuite } from "./suite.ts";
import type { AddedModel, MadePack } from "./suite-models.ts";

/** The engine's suite with a tiny model that is not in the package. */
export function addedSuite(model: AddedModel, place: string, base: DeciderOptions): void {
  let pack: MadePack;
  beforeAll(async () => {
    pack = await model.make();
  });
  afterAll(() => pack.remove());

  engineSuite(`with a ${model.family} model, ${place}`, base, { ...model, packUrl: () => pack.url });
}
