import { createDecider } from "umpire";

/**
 * The decider of all test files of a process that need none of their own: with one thread, so that files can run beside each other. It loads its model once, when it is
 * first used, and lives as long as the process. Who teaches it makes it forget.
 */
export const sharedDecider = createDecider({ threads: 1 });
