import { DecideError } from "../../errors.ts";
import { KEY_NAME } from "../../http/auth/check-keys.ts";
import { MAX_NANOCREDITS } from "../../http/billing/credits.ts";
import type { Charge, Ledger } from "../../http/billing/credits.ts";

/** How long a charged request is remembered, for its retries. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** Of a ledger that is opened. Each ledger has options of its own beside them. */
export interface LedgerOptions {
  /** How long a charged request is remembered, in milliseconds. Default: 24 hours. */
  readonly rememberedMs?: number | undefined;
}

export interface Account {
  /** The name of its key. */
  readonly account: string;
  /** Balance, 0 or more. */
  readonly nanocredits: number;
}

/** One line of a ledger. The balance of an account is the sum of the `nanocredits` of its entries. */
export interface LedgerEntry {
  /** Unique in its ledger; later entries have greater ones. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly account: string;
  readonly kind: "charge" | "top_up";
  /** What the balance changed by: more than 0 for a top-up, 0 or less for a charge. */
  readonly nanocredits: number;
  readonly balanceAfter: number;
  /** Those of a charge. */
  readonly requestId?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** That of a top-up. */
  readonly note?: string;
}

export interface EntryFilter {
  /** Default: all accounts. */
  readonly account?: string | undefined;
  /** Only entries of that time and later, in milliseconds since 1970. Default: all. */
  readonly sinceMs?: number | undefined;
}

/** A ledger with what its owner does. Its methods fail as those of Ledger do. */
export interface AdminLedger extends Ledger, AsyncDisposable {
  /**
   * Adds whole nanocredits, 1 or more, and opens the account if it is new. The note has 200 characters at most.
   *
   * @throws DecideError `invalid_request` for an amount, account or note that cannot be, and for a balance over 9,007,199.254740991 credits.
   */
  topUp(account: string, nanocredits: number, note?: string): Promise<LedgerEntry>;
  /** By name. */
  accounts(): Promise<Account[]>;
  /** In the order of their ids; those made meanwhile may be among them. */
  entries(filter?: EntryFilter): AsyncIterable<LedgerEntry>;
  /** Finishes what was asked and refuses what comes after. */
  close(): Promise<void>;
}

const NOTE = /^\P{Cc}{0,200}$/u;

export function checkTopUp(account: string, nanocredits: number, note: string | undefined): void {
  if (!KEY_NAME.test(account))
    throw new DecideError(
      "invalid_request",
      "An account is named as its key: 1 to 64 letters (a to z), digits, dots, underscores and hyphens.",
    );
  if (!isAmount(nanocredits) || nanocredits === 0)
    throw new DecideError("invalid_request", "A top-up is from 0.000000001 to 9,007,199.254740991 credits.");
  if (note !== undefined && !NOTE.test(note))
    throw new DecideError("invalid_request", "A note has 200 characters at most, and no line breaks or other controls.");
}

/** A charge is made by the handler: what is wrong with it is our mistake. */
export function checkCharge({ nanocredits, inputTokens, outputTokens }: Charge): void {
  if (![nanocredits, inputTokens, outputTokens].every(isAmount))
    throw new DecideError("internal", "A charge has tokens and nanocredits that are whole numbers, 0 or more.");
}

/** @throws DecideError `invalid_request` when an account would hold more than can be counted exactly. */
export function checkBalance(balanceAfter: number): void {
  if (balanceAfter > MAX_NANOCREDITS)
    throw new DecideError("invalid_request", "An account holds 9,007,199.254740991 credits at most; nothing was added.");
}

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
