import { DecideError } from "../../../../errors.ts";
import { rollBack } from "./sqlite-file.ts";
import type { SqliteDatabase } from "./sqlite-file.ts";
import { ledgerError } from "./sqlite-error.ts";

interface Write {
  /**
   * Runs inside the transaction, and returns what to do once it is committed. If it refuses with a DecideError, it must do so before its first
   * change.
   */
  readonly work: () => () => void;
  readonly reject: (error: DecideError) => void;
}

/**
 * Runs writes in transactions, one transaction at a time. Writes that arrive during a commit share the next one, so a slow disk limits how often
 * we commit, not how many requests are charged.
 */
export class GroupCommit {
  readonly #database: SqliteDatabase;
  readonly #check: () => void;
  #waiting: Write[] = [];
  #draining: Promise<void> | undefined;

  /** @param check throws if nothing may be written; called before and after each transaction, so no write counts unless both hold */
  constructor(database: SqliteDatabase, check: () => void) {
    this.#database = database;
    this.#check = check;
  }

  /** Resolves when the changes made by `work` are on the disk. */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const resolvable = (): (() => void) => {
        const value = work();
        return () => {
          resolve(value);
        };
      };
      this.#waiting.push({ work: resolvable, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no write is waiting or running. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commitWaiting();
    this.#draining = undefined;
  }

  async #commitWaiting(): Promise<void> {
    let group: Write[] = [];
    try {
      this.#check();
      await this.#database.exec("BEGIN IMMEDIATE");
      group = this.#takeWaiting();
      const settlements = group.map(settlementOf);
      await this.#database.exec("COMMIT");
      this.#check();
      for (const settle of settlements) settle();
    } catch (error) {
      // It did not begin: every waiting write was waiting for this lock.
      if (group.length === 0) group = this.#takeWaiting();
      const known = ledgerError(error);
      for (const { reject } of group) reject(known);
      // If this fails as well, the next BEGIN fails too: its writes are rejected, and this is tried again.
      await rollBack(this.#database).catch(() => undefined);
    }
  }

  #takeWaiting(): Write[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

function settlementOf({ work, reject }: Write): () => void {
  try {
    return work();
  } catch (error) {
    // A refusal concerns one write; a failure of the database concerns the whole transaction.
    if (!DecideError.isInstance(error)) throw error;
    return () => {
      reject(error);
    };
  }
}
