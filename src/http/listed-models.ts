import type { ModelSummary } from "../decider/decider.ts";

/** A model as the hosted API lists it. Fields that the hosted API does not have start with `x_`. */
export interface ListedModel {
  readonly name: string;
  readonly description: string;
  /** For example 2026-11-21. */
  readonly release_date: string;
  /** Whether this is the model that `latest` stands for. */
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
