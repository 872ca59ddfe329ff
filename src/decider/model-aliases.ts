/** Names that stand for a decider's own model; the second is the default of the official clients. */
export const MODEL_ALIASES: readonly string[] = ["latest", "jev-latest"];
