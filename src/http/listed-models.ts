import type { ModelSummary } from "../decider/decider.ts";

/** A model as the hosted API lists it. Fields of our own start with `x_`. */
export interface ListedModel {
  readonly name: string;
  readonly description: string;
  /** Year, month and day: 2026-11-21. */
  readonly release_date: string;
  /** It answers requests that name no model. */
  readonly x_latest: boolean;
}

export function listedModels(models: readonly ModelSummary[]): ListedModel[] {
  return models.map(({ id, description, releaseDate, isDefault }) => ({
    name: id,
    description,
    release_date: releaseDate,
    x_latest: isDefault,
  }));
}
