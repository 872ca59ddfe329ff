import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createDecider } from "umpire";

/** The pack that a newer one is compared with. It is in the repository alone, not in the package. */
const REFERENCE = fileURLToPath(new URL("../packs/umpire-pilot", import.meta.url));

/**
 * Which models to measure, each loaded once, so that a missing or damaged one is found before hours of work and not after.
 * @param {readonly string[]} asked ids, or packs' folders; none: the newest model, with the reference beside it
 * @returns {Promise<{ models: string[], note?: string }>} `note`: why there is no reference
 * @throws {DecideError} `model_not_found`, `model_invalid`
 */
export async function modelsToMeasure(asked) {
  if (asked.length > 0) {
    for (const model of asked) await idOf(model);
    return { models: [...asked] };
  }
  const newest = await idOf("latest");
  if (!existsSync(REFERENCE))
    return { models: [newest], note: `The pilot pack is not in bench/packs: it does not stand beside ${newest}.` };
  await idOf(REFERENCE);
  return { models: [newest, REFERENCE] };
}

async function idOf(model) {
  const decider = createDecider({ model, threads: 1 });
  const { model: id } = await decider.info().finally(() => decider.close());
  return id;
}
