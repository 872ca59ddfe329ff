import { DecideError } from "../../errors.ts";
import { ledgerError } from "./sqlite-error.ts";
import { rollBack } from "./sqlite-file.ts";
import type { Connection } from "./sqlite-file.ts";

interface Write {
  /** Runs inside the transaction and gives what to do once it has been committed. A DecideError of its own must come before its first change. */
  readonly work: () => () => void;
  readonly reject: (error: DecideError) => void;
}

/**
 * Writes in transactions, one at a time. What is asked while one is being committed goes into the next one together, so that a commit, which
 * waits for the disk, serves many.
 */
export class GroupCommit {
  readonly #connection: Connection;
  #waiting: Write[] = [];
  #draining: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Resolves when what `work` wrote is on the disk. */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settled = (): (() => void) => {
        const value = work();
        return () => {
          resolve(value);
        };
      };
      this.#waiting.push({ work: settled, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing waits any more. */
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
      await this.#connection.exec("BEGIN IMMEDIATE");
      group = this.#takeWaiting();
      const done = group.map(resultOf);
      await this.#connection.exec("COMMIT");
      for (const settle of done) settle();
    } catch (error) {
      // Without a lock nothing has been taken out: all that wait have waited for it.
      if (group.length === 0) group = this.#takeWaiting();
      const known = ledgerError(error);
      for (const { reject } of group) reject(known);
      // If this fails too, so does the next BEGIN, which says it to its callers and comes here again.
      await rollBack(this.#connection).catch(() => undefined);
    }
  }

  #takeWaiting(): Write[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

function resultOf({ work, reject }: Write): () => void {
  try {
    return work();
  } catch (error) {
    // A refusal concerns one write; a failure of the database all of its transaction.
    if (!DecideError.isInstance(error)) throw error;
    return () => {
      reject(error);
    };
  }
}
