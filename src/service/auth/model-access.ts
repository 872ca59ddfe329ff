import { DecideError } from "../../errors.ts";
import type { Decider, ModelSummary } from "../../library/decider/decider.ts";
import { MODEL_ALIASES } from "../../library/decider/catalogue.ts";
import type { ParsedRequest } from "../../library/decide/request.ts";
import type { ApiKey } from "./keys.ts";

/** Those of the service's models that a key may use. */
export function accessibleModels(models: readonly ModelSummary[], key: ApiKey | undefined): readonly ModelSummary[] {
  return models.filter(({ id }) => key?.models?.includes(id) ?? true);
}

/** @throws {DecideError} `model_not_found` if the key may not use the model: for its holder, that model does not exist. */
export async function checkModelAccess(request: ParsedRequest, key: ApiKey | undefined, decider: Pick<Decider, "models">): Promise<void> {
  if (key?.models === undefined) return;
  const { model = "latest" } = request;
  const id = await modelIdOf(request, decider);
  if (id !== undefined && key.models.includes(id)) return;
  throw new DecideError(
    "model_not_found",
    `This key cannot use that model (a name of ${model.length} characters). It can use: ${key.models.join(", ")}.`,
  );
}

/** The id of the model that a request asks for; undefined if it asks for the service's own, and there is none. */
export async function modelIdOf({ model = "latest" }: ParsedRequest, decider: Pick<Decider, "models">): Promise<string | undefined> {
  return MODEL_ALIASES.includes(model) ? (await decider.models()).find(({ isDefault }) => isDefault)?.id : model;
}
