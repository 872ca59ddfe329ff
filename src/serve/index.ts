/** The service on a server of its own, for Node: `umpire/serve`. */
export { serve } from "./serve.ts";
export type { ConnectionLimits, ServeOptions, TlsFiles } from "./serve-options.ts";
export type { Closed, RunningServer } from "./running-server.ts";
export { createLogger } from "./logger.ts";
export type { JsonLogger, LogFields, LogLevel, Logger, LoggerOptions } from "./logger.ts";
export { watchKeyFile } from "./watched-keys.ts";
export type { WatchOptions, WatchedKeys } from "./watched-keys.ts";
export { createKeys, keyFromSecret } from "../http/key-ring.ts";
export { openLedger } from "./open-ledger.ts";
export type { OpenLedgerOptions } from "./open-ledger.ts";
export type { Account, AdminLedger, EntryFilter, LedgerEntry } from "./ledger.ts";
