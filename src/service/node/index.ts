/** The service on a server of its own, for Node: `umpire/serve`. */
export { serve } from "./serve.ts";
export type {
  Closed,
  ConnectionLimits,
  LogFields,
  Logger,
  RunningServer,
  ServeOptions,
  TlsFiles,
  UpstreamOptions,
} from "./serve-options.ts";

export { createLogger } from "./observability/logger.ts";
export type { LogLevel } from "./serve-options.ts";
export type { JsonLogger, LoggerOptions } from "./observability/logger.ts";
export { watchKeyFile } from "./keys/key-file.ts";
export type { WatchOptions, WatchedKeys } from "./keys/key-file.ts";
export { createKeys, keyFromSecret } from "../auth/key-ring.ts";
export { openLedger } from "./ledger/open-ledger.ts";
export type { OpenLedgerOptions } from "./ledger/open-ledger.ts";
export type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerNotice } from "./ledger/ledger.ts";
