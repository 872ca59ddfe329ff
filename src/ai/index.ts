import { createUmpire } from "./provider.ts";

export { umpireMetadata } from "./metadata.ts";
export type { UmpireMetadata } from "./metadata.ts";
export { createUmpire } from "./provider.ts";
export type { UmpireModelId, UmpireProvider, UmpireProviderOptions } from "./provider.ts";

/** Umpire for the AI SDK. It shares its decider with `decide()`. Use: `experimental_decide({ model: umpire("latest"), state, questions })`. */
export const umpire = createUmpire();
