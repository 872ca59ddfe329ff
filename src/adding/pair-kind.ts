import { labelsFrom, toLabels } from "./labels.ts";
import { limitsFor } from "./limits.ts";
import type { ModelKind } from "./model-kind.ts";
import type { ModelConfig } from "./read-config.ts";
import { templatesWith } from "./templates.ts";

/** What a person says of a model. */
export interface Stated {
  readonly labels?: string | undefined;
  readonly template?: string | undefined;
}

/**
 * A model for natural language inference that reads text and statement side by side.
 * @param maxTokens the limit that its tokenizer states
 * @throws {AddingFailed} if it is no such model
 */
export function pairKind({ modelType, labels: named, positions }: ModelConfig, maxTokens: number | undefined, stated: Stated): ModelKind {
  const labels = stated.labels === undefined ? toLabels(named) : labelsFrom(stated.labels);
  return {
    family: "pair",
    words: `${modelType === "" ? "" : `${modelType} `}model for natural language inference`,
    fields: { labels, templates: templatesWith(stated.template) },
    classes: labels.length,
    limits: limitsFor(positions, maxTokens),
  };
}
