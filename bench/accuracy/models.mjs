import { createDecider } from "umpire";

/** The pack that a newer one is compared with. */
const REFERENCE = "umpire-pilot";

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
  if (newest === REFERENCE) return { models: [newest], note: `The newest model is ${REFERENCE} itself: no other one stands beside it.` };
  try {
    return { models: [newest, await idOf(REFERENCE)] };
  } catch (error) {
    if (error.code !== "model_not_found") throw error;
    return { models: [newest], note: `${REFERENCE} is not in the package: it does not stand beside ${newest}.` };
  }
}

async function idOf(model) {
  const decider = createDecider({ model, threads: 1 });
  const { model: id } = await decider.info().finally(() => decider.close());
  return id;
}
