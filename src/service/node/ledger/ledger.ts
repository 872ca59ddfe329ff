import { DecideError } from "../../../errors.ts";
import { KEY_NAME } from "../../auth/key-ring.ts";
import { MAX_NANOCREDITS, type Charge, type Hold, type HoldRequest, type Ledger } from "../../billing/credits.ts";
import { Field, firstOf, matching, wholeNumber } from "../../../library/validation/field.ts";

/** How long a charged request is remembered, so that its retries are free: 24 hours. */
export const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** News for the owner of a ledger: `error`, nothing can be charged; `warn`, credits may be lost some day; `info`, all is well again, or the ledger is new. */
export interface LedgerNotice {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
}

/** Options that every kind of ledger has. */
export interface LedgerOptions {
  /** How long a charged request is remembered, in milliseconds. Default: 24 hours. */
  readonly rememberedMs?: number;
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

interface StoredEntry {
  readonly [column: string]: string | number | null | undefined;
}

export function entryOf({ request_id, model, input_tokens, output_tokens, note, ...stored }: StoredEntry): LedgerEntry {
  return {
    id: String(stored["id"]),
    timeMs: Number(stored["time_ms"]),
    account: String(stored["account"]),
    kind: stored["kind"] === "charge" ? "charge" : "top_up",
    nanocredits: Number(stored["nanocredits"]),
    balanceAfter: Number(stored["balance_after"]),
    ...(request_id != null && { requestId: String(request_id) }),
    ...(model != null && { model: String(model) }),
    ...(input_tokens != null && { inputTokens: Number(input_tokens) }),
    ...(output_tokens != null && { outputTokens: Number(output_tokens) }),
    ...(note != null && { note: String(note) }),
  };
}

type ChargeColumns = Readonly<Record<"account" | "kind" | "request_id" | "body_sha256" | "model", string>> &
  Readonly<Record<"nanocredits" | "input_tokens" | "output_tokens", number>>;

/** The columns of a charge that are known before it is made. */
export function columnsOf({ account, nanocredits, requestId, bodySha256, model, inputTokens, outputTokens }: Charge): ChargeColumns {
  return {
    account,
    kind: "charge",
    nanocredits: 0 - nanocredits,
    request_id: requestId,
    body_sha256: bodySha256,
    model,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
  };
}

const ACCOUNT = matching(KEY_NAME, "the name of a key: 1 to 64 letters, digits, dots, underscores or hyphens");
const TOP_UP = wholeNumber(1, MAX_NANOCREDITS);
const NOTE = matching(/^\P{Cc}{0,200}$/u, "at most 200 characters, without line breaks or other control characters");
const COUNT = wholeNumber(0);

/** @throws {DecideError} `invalid_request` with an issue for each invalid argument of a top-up. */
export function checkTopUp(account: string, nanocredits: number, note: string | undefined): void {
  const topUp = new Field({ account, nanocredits, note }, ["topUp"]);
  topUp.get("account").keeps(ACCOUNT);
  topUp.get("nanocredits").keeps(TOP_UP);
  topUp.get("note").mayKeep(NOTE);
  const { issues } = topUp;
  if (issues.length === 0) return;
  const first = firstOf(issues, (loc) => String(loc.at(-1)));
  throw new DecideError("invalid_request", `The top-up is not valid: ${first}.`, { issues });
}

/** @throws {DecideError} `internal`: the handler makes charges, so an invalid one is our mistake. */
export function checkCharge({ nanocredits, inputTokens, outputTokens }: Charge): void {
  if (![nanocredits, inputTokens, outputTokens].every(COUNT.isKept))
    throw new DecideError("internal", "The tokens and nanocredits of a charge must be whole numbers, 0 or more.");
}

/** @throws {DecideError} `internal`, as for charges. */
export function checkHold({ nanocredits, leaseMs }: HoldRequest): void {
  if (![nanocredits, leaseMs].every(COUNT.isKept))
    throw new DecideError("internal", "The nanocredits and milliseconds of a hold must be whole numbers, 0 or more.");
}

/** @throws {DecideError} `invalid_request` if an account would hold more than can be counted exactly. */
export function checkBalance(balanceAfter: number): void {
  if (balanceAfter > MAX_NANOCREDITS)
    throw new DecideError("invalid_request", "An account can hold at most 9,007,199.254740991 credits; nothing was added.");
}

/** Tells the owner of a ledger once that it cannot be used, and once that it can be used again. */
export class Condition {
  readonly #onNotice: (notice: LedgerNotice) => void;
  #problem: DecideError | undefined;

  constructor(onNotice: ((notice: LedgerNotice) => void) | undefined) {
    this.#onNotice = onNotice ?? ((): void => undefined);
  }

  /** @param problem what is wrong now; undefined: nothing */
  note(problem: DecideError | undefined): void {
    const before = this.#problem;
    this.#problem = problem;
    if (problem !== undefined && problem.message !== before?.message) this.#onNotice({ level: "error", message: problem.message });
    if (problem === undefined && before !== undefined) this.#onNotice({ level: "info", message: "The credits can be used again." });
  }

  /** @throws {DecideError} the problem, if there is one. */
  check(): void {
    if (this.#problem !== undefined) throw this.#problem;
  }
}

/** For a request that has been charged before. */
export function paidHold({ account }: HoldRequest): Hold {
  return { id: "", account, availableNanocredits: 0, othersNanocredits: 0, isPaid: true };
}
