import { once } from "node:events";
import { Command } from "commander";
import { MAX_NANOCREDITS, NANOCREDITS_PER_CREDIT } from "../../service/billing/credits.ts";
import type { Account, AdminLedger, LedgerEntry } from "../../service/node/ledger/ledger.ts";
import { openLedger } from "../../service/node/ledger/open-ledger.ts";
import { badInput } from "../tool-error.ts";
import { withSource } from "./failure.ts";
import { FlagOrVariable, instantMs } from "./input/flags.ts";
import type { Io } from "./io.ts";
import { columns, oneLine } from "./output/terminal-text.ts";
import { addOutputFlags, writeResult, type OutputFlags } from "./output/screen.ts";
import { csvLine } from "../rows/read-rows.ts";

interface PlaceFlag {
  readonly credits?: string;
}

const EXAMPLES = `
Examples:
  $ umpire credits add mail-service 250 --note "invoice 17" --credits credits.db
  $ umpire credits show --credits credits.db
  $ UMPIRE_CREDITS=rediss://ledger.internal umpire credits ledger --since 2026-11-01
`;

const LEDGER_HELP = `
One line for each charge and top-up. Credits are the change of the balance, so
those of a charge are negative. A request id or note that a spreadsheet would run
as a formula gets a ' in front. Times are UTC.
`;

export function creditsCommand(io: Io): Command {
  return new Command("credits")
    .description("show and top up credits, export the ledger")
    .helpCommand(false)
    .addCommand(showCommand(io))
    .addCommand(addCommand(io))
    .addCommand(ledgerCommand(io))
    .addHelpText("after", EXAMPLES);
}

function showCommand(io: Io): Command {
  return addOutputFlags(withPlace(new Command("show")))
    .description("show the balance of all accounts or of one")
    .argument("[account]", "the name of its key")
    .action(async (name: string | undefined, flags: PlaceFlag & OutputFlags) => {
      await using ledger = await openAt(flags, { create: false });
      const accounts = (await accountsOf(ledger, name)).map(({ account, nanocredits }) => ({ account, credits: creditsText(nanocredits) }));
      const rows = accounts.map(({ account, credits }) => [oneLine(account), credits]);
      writeResult(io, flags, { accounts }, ({ paint }) => {
        return `${columns([["account", "credits"], ...rows]).replace(/^.*/u, (head) => paint("dim", head))}\n`;
      });
    });
}

function addCommand(io: Io): Command {
  return addOutputFlags(withPlace(new Command("add")))
    .description("add credits to an account, and open it if it is new")
    .argument("<account>", "the name of its key")
    .argument("<credits>", "the amount, like 250 or 12.5")
    .option("--note <text>", "a note for the ledger, at most 200 characters")
    .action(async (name: string, credits: string, flags: PlaceFlag & OutputFlags & { readonly note?: string }) => {
      const nanocredits = nanocreditsFrom(credits);
      await using ledger = await openAt(flags, { create: true });
      const { id, account, balanceAfter } = await withSource("The top-up", ledger.topUp(name, nanocredits, flags.note));
      const [added, balance] = [creditsText(nanocredits), creditsText(balanceAfter)];
      const said = `${account}: ${added} credits added, the balance is ${balance}\n`;
      writeResult(io, flags, { id, account, credits: added, balance }, () => said);
    });
}

function ledgerCommand(io: Io): Command {
  return withPlace(new Command("ledger"))
    .description("print charges and top-ups as CSV")
    .option("--account <name>", "only the entries of one account")
    .option("--since <time>", "only entries from that time on: 2026-11-30 (its start in UTC), or 2026-11-30T18:00:00Z")
    .addHelpText("after", LEDGER_HELP)
    .action(async (flags: PlaceFlag & { readonly account?: string; readonly since?: string }) => {
      const sinceMs = flags.since === undefined ? undefined : instantMs(flags.since);
      if (Number.isNaN(sinceMs)) throw badInput("--since must be a day, 2026-11-30, or a time with its time zone, 2026-11-30T18:00:00Z.");
      await using ledger = await openAt(flags, { create: false });
      io.stdout.write(CSV_HEADER);
      for await (const entry of ledger.entries({ account: flags.account, sinceMs }))
        if (!io.stdout.write(csvOf(entry))) await once(io.stdout, "drain");
    });
}

function withPlace(command: Command): Command {
  return command.addOption(
    new FlagOrVariable("--credits <place>", "UMPIRE_CREDITS", "where the credits are kept: a file, or a redis:// or rediss:// URL"),
  );
}

async function openAt({ credits }: PlaceFlag, options: { readonly create: boolean }): Promise<AdminLedger> {
  if (credits === undefined || credits === "")
    throw badInput("Where are the credits kept? Give --credits with a file or a redis:// URL, or set UMPIRE_CREDITS.");
  return openLedger(credits, options);
}

async function accountsOf(ledger: AdminLedger, name: string | undefined): Promise<Account[]> {
  const accounts = await ledger.accounts();
  if (name === undefined) return accounts;
  const found = accounts.filter(({ account }) => account === name);
  if (found.length === 0) throw badInput('There is no account of that name. "umpire credits show" lists all accounts.');
  return found;
}

const DECIMALS = 9;
const AMOUNT = /^\d{1,7}(?:\.\d{1,9})?$/u;

/** Reads an amount of credits as nanocredits, without rounding. @throws {ToolError} unless it is a number within the limits. */
export function nanocreditsFrom(text: string): number {
  const nanocredits = AMOUNT.test(text) ? toNanocredits(text) : 0n;
  if (nanocredits < 1n || nanocredits > BigInt(MAX_NANOCREDITS))
    throw badInput(
      `Credits must be a number above 0, like 250 or 12.5: at most ${creditsText(MAX_NANOCREDITS)}, with at most ${DECIMALS} decimals.`,
    );
  return Number(nanocredits);
}

/** Nanocredits as credits, exactly and without trailing zeros: "-0.0001584". */
export function creditsText(nanocredits: number): string {
  const digits = String(Math.abs(nanocredits)).padStart(DECIMALS + 1, "0");
  const decimals = digits.slice(-DECIMALS).replace(/0+$/u, "");
  return `${nanocredits < 0 ? "-" : ""}${digits.slice(0, -DECIMALS)}${decimals === "" ? "" : `.${decimals}`}`;
}

function toNanocredits(text: string): bigint {
  const [whole = "", decimals = ""] = text.split(".");
  return BigInt(whole) * BigInt(NANOCREDITS_PER_CREDIT) + BigInt(decimals.padEnd(DECIMALS, "0"));
}

const COLUMNS: { readonly [column: string]: (entry: LedgerEntry) => string | number | undefined } = {
  id: ({ id }) => id,
  time: ({ timeMs }) => new Date(timeMs).toISOString(),
  account: ({ account }) => account,
  kind: ({ kind }) => kind,
  credits: ({ nanocredits }) => creditsText(nanocredits),
  balance: ({ balanceAfter }) => creditsText(balanceAfter),
  request_id: ({ requestId }) => inert(requestId),
  model: ({ model }) => model,
  input_tokens: ({ inputTokens }) => inputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  note: ({ note }) => inert(note),
};

export const CSV_HEADER = csvLine(Object.keys(COLUMNS));

export function csvOf(entry: LedgerEntry): string {
  return csvLine(Object.values(COLUMNS).map((value) => String(value(entry) ?? "")));
}

/** Callers choose request ids, so a spreadsheet must not run one as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
function inert(text: string | undefined): string | undefined {
  return text !== undefined && /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
}
