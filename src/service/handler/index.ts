/** The entry `umpire/http`: the hosted API as a function of web-standard requests. */
export { createHandler } from "./handler.ts";
export { Arrival } from "./observation.ts";
export type { ArrivalFacts } from "./observation.ts";
export type { BodyChunks } from "../body/body.ts";
export type { Handler, HandlerOptions } from "./handler-options.ts";
export type { ServiceLimits } from "./limits.ts";
export { DEFAULT_LIMITS } from "./limits.ts";
export { createKeys, keyFromSecret } from "../auth/key-ring.ts";
export type { KeyRing } from "../auth/key-ring.ts";
export type { ApiKey, Keys } from "../auth/keys.ts";
export type { Charge, ChargeId, ChargeOutcome, Credits, Hold, HoldRequest, Ledger, Price, Prices } from "../billing/credits.ts";
export type { OnServed, Served } from "./observation.ts";
