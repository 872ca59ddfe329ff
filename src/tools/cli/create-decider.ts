import type { Decider, DeciderOptions } from "../../library/decider/decider.ts";

/** Makes the decider of a command, which the command closes. */
export type CreateDecider = (options: DeciderOptions) => Decider;
