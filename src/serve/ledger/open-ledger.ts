import { access } from "node:fs/promises";
import { DecideError } from "../../errors.ts";
import type { AdminLedger } from "./ledger.ts";
import { openRedisLedger } from "./redis-ledger.ts";
import { openSqliteLedger } from "./sqlite-ledger.ts";

export interface OpenLedgerOptions {
  /** False: a ledger file that is not there is an error. Default: true, it is made. */
  readonly create?: boolean | undefined;
}

const REDIS = /^rediss?:\/\//iu;
const URL_OF_ANY_KIND = /^[a-z][a-z0-9+.-]*:\/\//iu;

/**
 * Opens the ledger at a place: a `redis://` or `rediss://` URL, or the path of an SQLite file.
 *
 * @throws DecideError `invalid_request` for another URL, or a file that is not there and not to be made; `backend_unavailable` when it cannot be opened.
 */
export async function openLedger(place: string, { create = true }: OpenLedgerOptions = {}): Promise<AdminLedger> {
  if (REDIS.test(place)) return openRedisLedger(place);
  if (place === "" || URL_OF_ANY_KIND.test(place))
    throw new DecideError(
      "invalid_request",
      "The credits are kept in a file, or at a redis:// or rediss:// URL; the place given is neither.",
    );
  if (!create && !(await exists(place)))
    throw new DecideError("invalid_request", "There is no file of credits at that path yet; the first top-up or the server makes it.");
  return openSqliteLedger(place);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw new DecideError("backend_unavailable", "The file of credits cannot be read; look at its permissions.", { cause: error });
  }
}
