import type { Decider, DeciderOptions } from "../../src/library/decider/decider.ts";
import { deciderOn } from "../../src/library/decider/create-decider.ts";
import type { Engine } from "../../src/library/engine/engine.ts";
import type { CataloguedPack, Platform } from "../../src/library/platform/platform.ts";
import { INFO, fakePlatform } from "./fake-engine.ts";

/** The pack of the one model that a fake platform has. */
export const PACK: CataloguedPack = {
  id: INFO.model,
  url: "file:///fake/",
  description: INFO.description,
  releaseDate: INFO.releaseDate,
  isBuiltIn: true,
};

/** A platform with one model. */
export function platformOfOne(options: Partial<Platform> = {}): Platform {
  return fakePlatform({ builtIn: () => Promise.resolve([PACK]), catalogue: () => Promise.resolve([PACK]), ...options });
}

/** A real decider whose one model is the test's engine, on this thread. */
export function fakeDecider(engine: Engine, options: DeciderOptions = {}): Required<Decider> {
  return deciderOn(platformOfOne({ loadInline: () => Promise.resolve(engine) }), { inline: true, ...options });
}
