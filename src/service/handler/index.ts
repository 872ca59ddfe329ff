/** The entry `umpire/http`: the hosted API as a function of web-standard requests. */
export { createHandler } from "./handler.ts";
export { Arrival, type ArrivalFacts, type OnServed, type Served } from "./observation.ts";
export type { BodyChunks } from "../body/body.ts";
export type { Handler, HandlerOptions } from "./handler-options.ts";
export { DEFAULT_LIMITS, type ServiceLimits } from "./limits.ts";
export { createKeys, keyFromSecret, type KeyRing } from "../auth/key-ring.ts";
export type { ApiKey, Keys } from "../auth/keys.ts";
export type { Charge, ChargeId, ChargeOutcome, Credits, Hold, HoldRequest, Ledger, Price, Prices } from "../billing/credits.ts";
