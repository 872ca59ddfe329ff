/** A visitor's first request; the same as in bench/speed/cold.mjs. */
export const FIRST_REQUEST = { text: "My card was charged twice.", labels: ["billing", "technical", "other"] };
