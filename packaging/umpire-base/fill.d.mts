/** Id of the pack that the package holds. It is in models/ of the repository, and no part of the package umpire. */
export const BASE_PACK: string;

/**
 * Copies a pack whose files all have the SHA-256 that its sealed manifest states, and nothing else of its folder.
 * @param from folder of the pack
 * @param to folder that gets it, named with the pack's id
 * @throws {Error} saying in one sentence which file is missing or damaged
 */
export function copySealed(from: string, to: string): Promise<void>;
