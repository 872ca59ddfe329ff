/** The most that one block may hold, compressed or not. */
export const MAX_BLOCK_BYTES = 131_072;
