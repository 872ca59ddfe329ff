import { join } from "node:path";
import { afterEach } from "vitest";
import type { AdminLedger } from "../../../../../src/service/node/ledger/ledger.ts";
import { openSqliteLedger } from "../../../../../src/service/node/ledger/sqlite/sqlite-ledger.ts";
import { tempDir } from "../../../../support/temp-dir.ts";
import type { LedgerPlace } from "../ledger-suite.ts";

/** Ledgers in files of one test file. Each is closed when its test ends. */
export class SqliteLedgers {
  readonly #folder = tempDir();
  readonly #opened: AdminLedger[] = [];
  #files = 0;

  /** Call it at the top of a test file. */
  static forTests(): SqliteLedgers {
    const ledgers = new SqliteLedgers();
    afterEach(async () => {
      for (const ledger of ledgers.#opened.splice(0)) await ledger.close();
    });
    return ledgers;
  }

  /** The path of a file that does not exist yet. */
  newFile(): string {
    return join(this.#folder, `${this.#files++}.db`);
  }

  newPlace(): LedgerPlace {
    const place = this.newFile();
    return { place, open: (options) => this.open(place, options) };
  }

  async open(file: string, options: Parameters<typeof openSqliteLedger>[1] = {}): Promise<AdminLedger> {
    const ledger = await openSqliteLedger(file, options);
    this.#opened.push(ledger);
    return ledger;
  }
}
