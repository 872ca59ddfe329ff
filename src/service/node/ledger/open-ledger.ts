import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { DecideError } from "../../../errors.ts";
import type { AdminLedger, LedgerNotice } from "./ledger.ts";
import { openRedisLedger } from "./redis/redis-ledger.ts";
import { openSqliteLedger } from "./sqlite/sqlite-ledger.ts";
import { unlessMissing } from "../../../files/system-errors.ts";

export interface OpenLedgerOptions {
  /** Whether to create a file that does not exist; false makes that an error. Default: true. */
  readonly create?: boolean | undefined;
  /**
   * Called once for each change: when nothing can be charged any more (a file that was deleted, a Redis that lost its data), and when it can again. Also
   * called when Redis is set up so that credits may be lost, and at once if the ledger is new. An error thrown here is not caught.
   */
  readonly onNotice?: ((notice: LedgerNotice) => void) | undefined;
}

const REDIS = /^rediss?:\/\//iu;
const ANY_URL = /^[a-z][a-z0-9+.-]*:\/\//iu;

/**
 * Opens a ledger.
 * @param place a `redis://` or `rediss://` URL, or the path of an SQLite file
 * @throws {DecideError} `invalid_request` for any other URL, and for a missing file with `create: false`; `backend_unavailable` if the ledger
 *   cannot be opened.
 */
export async function openLedger(place: string, { create = true, onNotice }: OpenLedgerOptions = {}): Promise<AdminLedger> {
  if (REDIS.test(place)) return openRedisLedger(place, { create, onNotice });
  if (place === "" || ANY_URL.test(place))
    throw new DecideError("invalid_request", "Credits are kept in a file or at a redis:// or rediss:// URL; the given place is neither.");
  if (!create && (await statOf(place)) === undefined)
    throw new DecideError("invalid_request", "There is no file of credits at that path yet. The first top-up or the server creates it.");
  return openSqliteLedger(place, { onNotice });
}

function statOf(path: string): Promise<Stats | undefined> {
  return unlessMissing(stat(path)).catch((cause: unknown) => {
    throw new DecideError("backend_unavailable", "The file of credits cannot be read. Check its permissions.", { cause });
  });
}
