/** Largest size of a block, compressed or decompressed. */
export const MAX_BLOCK_BYTES = 131_072;
