import type { Ledger } from "../../billing/credits.ts";

/** How long a charged request is remembered, so that its retries are free: 24 hours. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** What the owner of a ledger should know: `error`, nothing can be charged; `warn`, credits may be lost some day; `info`, all is well again, or the ledger is new. */
export interface LedgerNotice {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
}

/** Options that every kind of ledger has. */
export interface LedgerOptions {
  /** How long a charged request is remembered, in milliseconds. Default: 24 hours. */
  readonly rememberedMs?: number | undefined;
  /** Called once for each change of the ledger's state, not for each call that fails. An error thrown here is not caught. */
  readonly onNotice?: ((notice: LedgerNotice) => void) | undefined;
}

/** For who knows that there should be credits: they were lost before the start. */
export const NEW_LEDGER: LedgerNotice = { level: "info", message: "The ledger of credits is new: nobody has any credits yet." };

export interface Account {
  /** The name of the key that it belongs to. */
  readonly account: string;
  /** Balance, 0 or more. */
  readonly nanocredits: number;
}

/** One line of a ledger. The balance of an account is the sum of the `nanocredits` of its entries. */
export interface LedgerEntry {
  /** Unique in its ledger, and greater than the ids of earlier entries. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly account: string;
  readonly kind: "charge" | "top_up";
  /** The change of the balance: more than 0 for a top-up, 0 or less for a charge. */
  readonly nanocredits: number;
  readonly balanceAfter: number;
  /** Charges only, as are `model` and the token counts. */
  readonly requestId?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Top-ups only. */
  readonly note?: string;
}

export interface EntryFilter {
  /** Default: all accounts. */
  readonly account?: string | undefined;
  /** Only entries made at this time or later, in milliseconds since 1970. Default: all. */
  readonly sinceMs?: number | undefined;
}

/** A ledger with the operations that its owner needs. Its methods throw the same errors as those of `Ledger`. */
export interface AdminLedger extends Ledger, AsyncDisposable {
  /**
   * Adds credits to an account, and opens the account if it is new.
   * @param nanocredits a whole number, 1 or more
   * @param note at most 200 characters, without control characters
   * @throws {DecideError} `invalid_request` for an invalid amount, account or note, and if the balance would exceed 9,007,199.254740991 credits.
   */
  topUp(account: string, nanocredits: number, note?: string): Promise<LedgerEntry>;
  /** All accounts, sorted by name. */
  accounts(): Promise<Account[]>;
  /** Entries in the order of their ids. Entries added while you read may be included. */
  entries(filter?: EntryFilter): AsyncIterable<LedgerEntry>;
  /** Completes the operations under way and refuses new ones. */
  close(): Promise<void>;
}
