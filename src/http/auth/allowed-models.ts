import type { Decider } from "../../decider/decider.ts";
import { DecideError } from "../../errors.ts";
import { MODEL_ALIASES } from "../../decider/catalogue.ts";
import type { ParsedRequest } from "../../decide/request.ts";
import type { ApiKey } from "./keys.ts";

/** @throws {DecideError} `model_not_found` where the key may not ask the model: to its holder, that model is not there. */
export async function checkModel({ model = "latest" }: ParsedRequest, key: ApiKey | undefined, decider: Decider): Promise<void> {
  if (key?.models === undefined) return;
  const id = MODEL_ALIASES.includes(model) ? (await decider.models()).find(({ isDefault }) => isDefault)?.id : model;
  if (id !== undefined && key.models.includes(id)) return;
  throw new DecideError(
    "model_not_found",
    `This key may not ask that model (a name of ${model.length} characters). It may ask: ${key.models.join(", ")}.`,
  );
}
