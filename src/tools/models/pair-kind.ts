import type { HubTokenizer } from "../../library/tokenizer/hub-tokenizer.ts";
import { labelsFrom, toLabels } from "./labels.ts";
import { limitsFor } from "./limits.ts";
import type { ModelKind } from "./model-kind.ts";
import type { ModelConfig } from "./read-config.ts";
import type { ModelTokenizer } from "./read-tokenizer.ts";
import { templatesWith, wordsOf } from "./templates.ts";
import type { Templates } from "./templates.ts";

/** What a person says of a model. */
export interface Stated {
  readonly labels?: string | undefined;
  readonly template?: string | undefined;
}

/**
 * A model for natural language inference that reads text and statement side by side.
 * @throws {AddingFailed} if it is no such model
 */
export function pairKind(
  { modelType, labels: named, positions }: ModelConfig,
  { tokenizer, maxTokens }: ModelTokenizer,
  stated: Stated,
): ModelKind {
  const labels = stated.labels === undefined ? toLabels(named) : labelsFrom(stated.labels);
  const templates = templatesWith(stated.template);
  return {
    family: "pair",
    words: `for natural language inference${modelType === "" ? "" : ` (${modelType.slice(0, 40)})`}; reads each option beside the text`,
    fields: { labels, templates },
    classes: labels.length,
    limits: limitsFor([positions, maxTokens], fixedTokens(tokenizer, templates)),
    // It reads each token with its neighbours, and the last token's is the padding.
    isUnpadded: modelType === "mobilebert",
  };
}

/** Tokens of a row that are no one's text. */
function fixedTokens({ pair, tokenize }: HubTokenizer, templates: Templates): number {
  const special = pair.before.length + pair.between.length + pair.after.length;
  return special + Math.max(...Object.values<string>({ ...templates }).map((template) => tokenize(wordsOf(template)).length));
}
