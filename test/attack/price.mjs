/** Credits for a million tokens read and for a million written, as a flag. */
export const PRICE = "0.1/0.4";

/** What an answer costs, in nanocredits. */
export const priceOf = ({ input_tokens, output_tokens }) => input_tokens * 100 + output_tokens * 400;
