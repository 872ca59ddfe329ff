/** The service on a server of its own, for Node: `umpire/serve`. */
export { serve } from "./serve.ts";
export type {
  Closed,
  ConnectionLimits,
  LogFields,
  Logger,
  LogLevel,
  RunningServer,
  ServeOptions,
  TlsFiles,
  UpstreamOptions,
} from "./serve-options.ts";

export { createLogger, type JsonLogger, type LoggerOptions } from "./observability/logger.ts";
export { watchKeyFile, type WatchOptions, type WatchedKeys } from "./keys/key-file.ts";
export { createKeys, keyFromSecret } from "../auth/key-ring.ts";
export { openLedger, type OpenLedgerOptions } from "./ledger/open-ledger.ts";
export type { Account, AdminLedger, EntryFilter, LedgerEntry, LedgerNotice } from "./ledger/ledger.ts";
