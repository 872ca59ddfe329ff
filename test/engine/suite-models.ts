import type { DecideRequest, DeciderInfo } from "umpire";
import { catTokens, quickRequest } from "../support/long-requests.ts";
import { PACK_URL } from "../support/package-root.ts";

/** A model that the engine's suite is run with. */
export interface SuiteModel {
  readonly id: string;
  readonly family: string;
  /** Whether it came with the package: then it is found by its name, and its answers make sense. */
  readonly isBuiltIn: boolean;
  /** URL of the pack's folder, with a slash at its end. */
  readonly packUrl: () => string;
  readonly limits: DeciderInfo["limits"];
  /** A word that is one token, wherever it stands. */
  readonly word: string;
  /** Keeps the model busy for some tenths of a second. */
  readonly busyRequest: DecideRequest;
}

export const BUILT_IN: SuiteModel = {
  id: "umpire-2",
  family: "shared-premise",
  isBuiltIn: true,
  packUrl: () => PACK_URL.href,
  limits: { stateTokens: 16_384, windowTokens: 384, overlapTokens: 64, instructionsTokens: 254, optionTokens: 254 },
  word: "cat",
  busyRequest: { ...quickRequest, state: catTokens(1500) },
};
