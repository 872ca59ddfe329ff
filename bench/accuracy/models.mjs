import { createDecider } from "umpire";

/**
 * Which models to measure. Each is loaded once, so that a missing or damaged one is found before hours of work and not after.
 * @param {readonly string[]} asked ids or pack folders; if there are none, the newest model is measured
 * @returns {Promise<string[]>}
 * @throws {DecideError} `model_not_found`, `model_invalid`
 */
export async function modelsToMeasure(asked) {
  if (asked.length === 0) return [await idOf("latest")];
  for (const model of asked) await idOf(model);
  return [...asked];
}

async function idOf(model) {
  const decider = createDecider({ model, threads: 1 });
  const { model: id } = await decider.info().finally(() => decider.close());
  return id;
}
