/** A visitor's first request; the same as in bench/speed/start/cold.mjs. */
export const FIRST_REQUEST = { text: "My card was charged twice.", labels: ["billing", "technical", "other"] };
